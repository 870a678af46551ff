#!/usr/bin/env bash
# platform.sh [--with-test-images]: a running cluster with this checkout's operator on it. Builds what is missing, in
# order: packages, programs, Java modules, images, cluster, Helm release. Safe to run again: what is there and current is
# left alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=env.sh
source dev/env.sh
# shellcheck source=stages.sh
source dev/stages.sh

mapfile -t images < <(awk '!/^(#|$)/ {print $1}' dev/images.txt | if [ "${1:-}" = --with-test-images ]; then cat; else grep -v '^e2e-'; fi)

dev/packages.sh
dev/binaries/build.sh
dev/java.sh
dev/images.sh build "${images[@]}"
dev/cluster.sh up
dev/images.sh load "${images[@]}"

# The tag of a local image never changes: the annotation makes a rebuilt operator start anew.
install_operator() {
  helm upgrade --install tmax-operator helm/tmax-operator \
    --namespace tmax-system --create-namespace --values dev/operator-values.yaml \
    --set-string "podAnnotations.tmax\\.dev/built=$(cat target/images/operator)" --wait --timeout 5m
}
stage "Installing the operator (helm upgrade --install)" install_operator
