#!/usr/bin/env bash
# sandboxes.sh [ATTEMPTS]: measures cells and verification on this machine, phase by phase (default 200 attempts, about half
# a minute); prints a row of JSON for each. Be root, with crun and busybox-static installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=../dev/env.sh
source dev/env.sh
use_java

group=/sys/fs/cgroup/cpuacct/tmax-benchmark-$$
[ -d /sys/fs/cgroup/cpuacct ] || { echo "sandboxes.sh: counts processor time by a cpuacct control group, and there is none here" >&2; exit 1; }
classpath=$(mktemp)
trap 'rm -f "$classpath"; rmdir "$group" 2>/dev/null || true' EXIT
mvn -q -ntp -pl sandboxes test-compile dependency:build-classpath -Dmdep.outputFile="$classpath" -Dmdep.includeScope=test
mkdir "$group"
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx96m \
    -cp "sandboxes/target/test-classes:sandboxes/target/classes:$(cat "$classpath")" \
    dev.tmax.sandboxes.SandboxBenchmark "${1:-200}" "$group/cpuacct.usage"
)
