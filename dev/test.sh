#!/usr/bin/env bash
# test.sh [unit] [api-server] [cluster]: runs the tiers of tests, all by default, and ends with the count of tests.
# A cluster that is already up is used and left up; one that was started here is taken down at the end.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=env.sh
source dev/env.sh
# shellcheck source=stages.sh
source dev/stages.sh
use_java || exit 1

started=$SECONDS
status=0
[ $# != 0 ] || set -- unit api-server cluster

unit() {
  dev/packages.sh images &&
    stage "Unit tests, format, static analysis, dependency convergence" mvn -B -ntp install -pl '!e2e,!e2e/api-server,!e2e/cluster'
}

api_server() {
  dev/packages.sh binaries metrics &&
    dev/binaries/build.sh etcd kube-apiserver kube-controller-manager kubectl helm &&
    dev/java.sh &&
    stage "Chart tests (helm, kube-apiserver, promtool)" helm/check.sh &&
    stage "API-server tests (etcd, kube-apiserver, the real operator)" mvn -B -ntp verify -f e2e/api-server
}

cluster() {
  local ours=no result=0
  dev/cluster.sh status >/dev/null 2>&1 || ours=yes
  dev/platform.sh --with-test-images &&
    dev/prometheus.sh up &&
    PROMETHEUS_URL=$(dev/prometheus.sh url) stage "Cluster tests (real pods)" mvn -B -ntp verify -f e2e/cluster || result=1
  dev/prometheus.sh down
  if [ "$ours" = yes ] && [ "${TMAX_KEEP_CLUSTER:-no}" = no ]; then
    dev/cluster.sh down
  fi
  return "$result"
}

rm -rf -- */target/surefire-reports e2e/*/target/surefire-reports
for tier in "$@"; do
  case $tier in
    unit) unit || status=1 ;;
    api-server) api_server || status=1 ;;
    cluster) cluster || status=1 ;;
    *)
      echo "test.sh: no tier '$tier'; there are: unit, api-server, cluster" >&2
      exit 2
      ;;
  esac
  [ "$status" = 0 ] || break # The next tier would fail of the same and hide it.
done
echo "The tests took $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s."
python3 dev/count_tests.py || status=1
exit "$status"
