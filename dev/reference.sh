#!/usr/bin/env bash
# reference.sh: makes the generated files that are checked in again: CRDs from the Java classes, their copies in the chart,
# the API reference, the dashboards. Tests fail where one of them is out of date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=env.sh
source dev/env.sh
# shellcheck source=stages.sh
source dev/stages.sh
use_java

dev/binaries/build.sh kubectl
stage "Generating the CRDs" mvn -B -ntp -q -pl crds test -Dtmax.crds.write=true
helm/copy-crds.sh
python3 docs/api_reference.py
python3 helm/dashboards.py
