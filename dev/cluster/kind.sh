# Sourced by cluster.sh where a Docker daemon and kind are there. The same two nodes, made by kind. Could not be run on
# the machines that this project is developed on, which have no Docker daemon.
# kind's own network plugin enforces NetworkPolicy from kind 0.24 on; its default storage class serves pods of any user.
# shellcheck shell=bash

kind_up() {
  if kind get clusters | grep -qx "$TMAX_CLUSTER"; then
    echo "The cluster $TMAX_CLUSTER runs already. export KUBECONFIG=$KUBECONFIG"
    return
  fi
  "$TMAX_REPOSITORY/dev/binaries/build.sh" kubectl helm
  mkdir -p "$TMAX_STATE"
  cat >"$TMAX_STATE/kind.yaml" <<YAML
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: $TMAX_CLUSTER
nodes:
  - role: control-plane
    labels: {tmax.dev/role: workers}
  - role: worker
    labels: {tmax.dev/role: sandboxes}
    kubeadmConfigPatches:
      - |
        kind: JoinConfiguration
        nodeRegistration:
          taints: [{key: tmax.dev/sandboxes, value: "true", effect: NoSchedule}]
YAML
  stage "Starting Kubernetes $TMAX_CLUSTER with kind" \
    kind create cluster --image kindest/node:v1.35.0 --config "$TMAX_STATE/kind.yaml" --kubeconfig "$KUBECONFIG" --wait 180s
}

kind_down() {
  kind delete cluster --name "$TMAX_CLUSTER" --kubeconfig "$KUBECONFIG"
  rm -rf "$TMAX_STATE"
}

kind_status() {
  kind get clusters | grep -qx "$TMAX_CLUSTER"
  kubectl get nodes -o wide
}
