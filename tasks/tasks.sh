#!/usr/bin/env bash
# tasks.sh COMMAND [ARG...]: the tasks command of this checkout: validate, build, check, run, stats, index; --help teaches.
# Compiles what is missing. Needs a JDK 25 (JAVA_HOME, or java on the path) and Maven; check and run need root.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
list="$here/target/runtime-classpath.txt"

if [ ! -d "$here/target/classes/dev/tmax/tasks/build" ] || [ ! -d "$here/../sandboxes/target/classes" ]; then
  (cd "$here/.." && mvn -q -ntp -pl tasks -am compile >&2)
fi
if [ ! -f "$list" ] || [ "$here/pom.xml" -nt "$list" ]; then
  # test-compile: the goal resolves the test archive of the module beside it, too.
  (cd "$here/.." && mvn -q -ntp -pl tasks -am test-compile dependency:build-classpath -Dmdep.includeScope=runtime \
    "-Dmdep.outputFile=$list" >&2)
fi
exec "$java" -cp "$here/target/classes:$here/../sandboxes/target/classes:$(cat "$list")" dev.tmax.tasks.cli.TasksCommand "$@"
