#!/usr/bin/env bash
# model.sh COMMAND [ARG...]: the model command of this checkout: inspect, import-gguf, export, chat, score, serve, random, bench.
# Compiles what is missing. Needs a JDK 25 (JAVA_HOME, or java on the path) and Maven.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
list="$here/target/runtime-classpath.txt"

if [ ! -d "$here/target/classes/dev/tmax/model/cli" ]; then
  (cd "$here/.." && mvn -q -ntp -pl language-model compile >&2)
fi
if [ ! -f "$list" ] || [ "$here/pom.xml" -nt "$list" ]; then
  (cd "$here/.." && mvn -q -ntp -pl language-model dependency:build-classpath -Dmdep.includeScope=runtime "-Dmdep.outputFile=$list" >&2)
fi
# oneDNN keeps a compiled kernel for each shape it meets, and lengths vary without end.
export ONEDNN_PRIMITIVE_CACHE_CAPACITY=${ONEDNN_PRIMITIVE_CACHE_CAPACITY:-256}
exec "$java" -cp "$here/target/classes:$(cat "$list")" -Dai.djl.offline=true --enable-native-access=ALL-UNNAMED \
  dev.tmax.model.cli.ModelCommand "$@"
