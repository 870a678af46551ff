#!/usr/bin/env bash
# check.sh [TEST...]: renders the chart, installs it on a real API server (etcd and kube-apiserver, nothing else), and
# checks what came of it. Reports to target/surefire-reports like every other module.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=../dev/env.sh
source ../dev/env.sh
../dev/packages.sh binaries metrics
../dev/binaries/build.sh etcd kube-apiserver kubectl helm
exec python3 check.py "$@"
