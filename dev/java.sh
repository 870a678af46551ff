#!/usr/bin/env bash
# java.sh [MAVEN-ARG...]: builds and installs the Java modules that images are made of, without running tests.
# Does nothing where the sources are those of the last build of this checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=env.sh
source dev/env.sh
# shellcheck source=stages.sh
source dev/stages.sh
use_java

stamp=target/built-from
key=$({ find . -path ./target -prune -o \( -path '*/src/main/*' -o -name pom.xml \) -type f -print | grep -v /target/ |
  LC_ALL=C sort | xargs sha256sum; echo "$JAVA_HOME" "$@"; } | sha256sum)
if [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then
  echo "==> The Java modules are built"
  exit 0
fi
mkdir -p target
stage "Building the Java modules" mvn -B -ntp -q install -DskipTests -Dspotless.check.skip -pl '!e2e,!e2e/api-server,!e2e/cluster' "$@"
echo "$key" >"$stamp"
