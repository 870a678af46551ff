#!/usr/bin/env bash
# image-context.sh DIR: fills DIR with what the Dockerfile copies: the jars of others, and our own, which change more
# often. Needs generator-image built by Maven.
set -euo pipefail
out=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jars=("$here"/target/generator-*.jar)
if [ ! -e "${jars[0]}" ] || [ ! -d "$here/target/lib" ]; then
  echo "image-context.sh: $here/target is not built: run mvn -pl generator-image -am package first" >&2
  exit 1
fi
mkdir "$out/dependencies" "$out/application"
cp "$here"/target/lib/*.jar "$out/dependencies"
# Our own modules among the dependencies.
for module in contracts language-model tasks sandboxes; do
  find "$out/dependencies" -name "$module-[0-9]*.jar" -exec mv -t "$out/application" {} +
done
cp "${jars[@]}" "$out/application"
