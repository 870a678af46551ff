#!/usr/bin/env bash
# image-context.sh DIR: fills DIR with what the Dockerfile copies: a Java runtime, the native libraries of libtorch and
# the tokenizers, unpacked, and the jar that tells DJL which ones they are. Needs trainer-image built by Maven.
set -euo pipefail
out=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$here/../target
# shellcheck source=../../dev/env.sh
source "$here/../../dev/env.sh"
use_java

natives=("$target"/natives/pytorch-native-cpu-*.jar)
if [ ! -e "${natives[0]}" ]; then
  echo "image-context.sh: $target/natives is missing: run mvn -pl trainer-image -am package first" >&2
  exit 1
fi

# java.se and what our libraries reach for beside it.
modules=java.se,jdk.httpserver,jdk.unsupported,jdk.zipfs,jdk.net,jdk.management,jdk.jfr,jdk.crypto.ec
jre=$target/jre-$({ "$JAVA_HOME/bin/java" -version 2>&1; echo "$modules"; } | sha256sum | cut -c1-12)
if [ ! -e "$jre/release" ]; then
  rm -rf "$jre" "$jre.part"
  "$JAVA_HOME/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
    --output "$jre.part"
  mv "$jre.part" "$jre"
fi
cp -a --reflink=auto "$jre" "$out/jre"

# Unpacked once per version; 450 MB.
cache=$target/djl-$({ basename "${natives[0]}"; ls "$target/lib"; cat "$here/ExtractNatives.java"; } | sha256sum | cut -c1-12)
if [ ! -e "$cache/complete" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  ENGINE_CACHE_DIR=$cache "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -Dai.djl.offline=true \
    -cp "$target/lib/*:$target/natives/*" "$here/ExtractNatives.java"
  touch "$cache/complete"
fi
cp -a --reflink=auto "$cache" "$out/djl"
rm "$out/djl/complete"
# Any user reads them, nobody writes.
chmod -R u=rwX,go=rX "$out/djl"

# DJL asks the jar of the natives for their version; without the libraries in it, it is a few kilobytes.
mkdir "$out/lib"
python3 - "${natives[0]}" "$out/lib/$(basename "${natives[0]}")" <<'PYTHON'
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as jar, zipfile.ZipFile(sys.argv[2], "w") as rest:
    for entry in jar.infolist():
        if ".so" not in entry.filename:
            rest.writestr(zipfile.ZipInfo(entry.filename), jar.read(entry))
PYTHON
