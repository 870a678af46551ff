#!/usr/bin/env bash
# run.sh: the quickstart from nothing to a trained model. Builds what is missing, gets a cluster, installs the operator,
# applies examples/quickstart/ and follows the run to its end. The cluster stays up; `make down` removes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=../dev/env.sh
source dev/env.sh
# shellcheck source=../dev/stages.sh
source dev/stages.sh

started=$(date +%s)
dev/platform.sh
ready=$(date +%s)

# A run of the same name that ended before is replaced; one that is under way is followed.
fresh_run() {
  local phase
  phase=$(kubectl -n tmax-quickstart get trainingrun quickstart -o 'jsonpath={.status.phase}' 2>/dev/null || true)
  case $phase in
    Succeeded | Failed) kubectl -n tmax-quickstart delete trainingrun quickstart --wait --timeout 2m ;;
  esac
  kubectl apply -k examples/quickstart
}
stage "Applying examples/quickstart/" fresh_run

exec python3 demo/follow.py --started "$started" --ready "$ready" --result target/demo.json
