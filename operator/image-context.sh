#!/usr/bin/env bash
# image-context.sh DIR: fills DIR with what the Dockerfile copies, from the built operator and the JDK in JAVA_HOME.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$1

application=$here/target/quarkus-app
if [ ! -f "$application/quarkus-run.jar" ]; then
  echo "operator/image-context.sh: $application is missing; build it with: mvn install -pl operator -am" >&2
  exit 1
fi
: "${JAVA_HOME:?set it to a JDK 25}"

# The runtime depends on the JDK only, and takes longest: kept between builds. Its class archive saves a second of start.
modules=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.net.http
modules+=,java.security.jgss,java.sql,java.xml,jdk.crypto.ec,jdk.jfr,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs
key=$({ cat "$JAVA_HOME/release"; echo "$modules"; } | sha256sum | cut -c1-12)
runtime=$here/target/jre-$key
if [ ! -d "$runtime" ]; then
  rm -rf "$runtime.part"
  "$JAVA_HOME/bin/jlink" --output "$runtime.part" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
    --generate-cds-archive --add-modules "$modules"
  # Only for heaps of 32 GB and more.
  rm -f "$runtime.part"/lib/server/classes_nocoops*.jsa
  mv "$runtime.part" "$runtime"
fi

rm -rf "${target:?}/jre" "$target/app"
mkdir -p "$target"
cp -r "$runtime" "$target/jre"
cp -r "$application" "$target/app"
# Says only when it was built: it would make every image another one.
rm -f "$target/app/quarkus-app-dependencies.txt"
find "$target" -type d -exec chmod 755 {} + -o -type f ! -perm -u+x -exec chmod 644 {} +
