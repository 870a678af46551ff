#!/usr/bin/env bash
# cluster.sh up|down|status: a real two-node Kubernetes on this machine, no virtual machines, no registry.
#
# up      nothing to do if it runs; over the remains of a cluster that was killed it cleans first
# down    ends it and removes every trace: processes, mounts, namespaces, links, control groups, $TMAX_STATE
# status  what runs
#
# Nodes: NAME-0 (label tmax.dev/role=workers) and NAME-1 (label tmax.dev/role=sandboxes, taint
# tmax.dev/sandboxes=true:NoSchedule). kubectl reaches it with KUBECONFIG=$TMAX_STATE/kubeconfig. Names and places:
# env.sh. TMAX_AUDIT=yes writes the API server's audit log to $TMAX_STATE/log/audit.log.
# Where a Docker daemon and kind are there, kind makes the two nodes (cluster/kind.sh).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=env.sh
source "$here/env.sh"
# shellcheck source=stages.sh
source "$here/stages.sh"
# shellcheck source=cluster/names.sh
source "$here/cluster/names.sh"
# shellcheck source=cluster/processes.sh
source "$here/cluster/processes.sh"
# shellcheck source=cluster/network.sh
source "$here/cluster/network.sh"
# shellcheck source=cluster/control-plane.sh
source "$here/cluster/control-plane.sh"
# shellcheck source=cluster/node.sh
source "$here/cluster/node.sh"
# shellcheck source=cluster/remains.sh
source "$here/cluster/remains.sh"

programs() {
  echo etcd apiserver controller-manager scheduler volume-provisioner
  local node
  for node in "${NODES[@]}"; do echo "namespaces-$node containerd-$node kubelet-$node proxy-$node firewall-$node"; done
}

all_running() {
  local program
  [ -s "$KUBECONFIG" ] || return 1
  for program in $(programs); do running "$program" || return 1; done
  set_addresses
  ask_api_server /readyz >/dev/null 2>&1
}

nodes_ready() {
  [ "$(kubectl get nodes -o json | jq '[.items[].status.conditions[]
    | select(.type == "Ready" and .status == "True")] | length')" = ${#NODES[@]} ]
}
node_known() { ask_api_server "/api/v1/nodes/$(node_name "$1")"; }

# The two images that the cluster itself needs.
make_own_images() {
  local program staging
  mkdir -p "$TMAX_STATE/images"
  for program in pause cluster-dns; do
    staging=$TMAX_STATE/images/$program
    mkdir -p "$staging"
    cp -L "$TMAX_BIN/$program" "$staging/"
    "$here/oci_image.py" --reference "$TMAX_IMAGES/$program:$TMAX_IMAGE_TAG" --layer "$staging" \
      --entrypoint "/$program" --output "$staging.tar"
    rm -r "$staging"
  done
}

import_own_images() { # node
  "$TMAX_BIN/ctr" --address "$(node_folder "$1")/containerd.sock" --namespace k8s.io images import "$TMAX_STATE/images/pause.tar"
  [ "${NODE_ROLES[$1]}" != workers ] ||
    "$TMAX_BIN/ctr" --address "$(node_folder "$1")/containerd.sock" --namespace k8s.io images import "$TMAX_STATE/images/cluster-dns.tar"
}

start_cluster() {
  local node importing=()
  mkdir -p "$TMAX_STATE/log" "$TMAX_STATE/run"
  echo "$TMAX_CLUSTER" >"$TMAX_STATE/name"
  make_cgroups
  make_network
  make_identities
  start_api_server
  for node in "${NODES[@]}"; do
    start_namespaces "$node"
    start_containerd "$node"
  done
  make_own_images
  for node in "${NODES[@]}"; do
    wait_until 30 "containerd of node $node" containerd_answers "$node"
    import_own_images "$node" 9>&- &
    importing+=($!)
  done
  wait_until 90 "the API server" ask_api_server /readyz
  start_controllers
  for node in "${NODES[@]}"; do start_kubelet "$node"; done
  for pid in "${importing[@]}"; do wait "$pid"; done
  kubectl apply -f "$here/cluster/manifests/storage.yaml"
  sed "s|SERVICE_NETWORK|$SERVICES|; s|IMAGE\$|$TMAX_IMAGES/cluster-dns:$TMAX_IMAGE_TAG|" \
    "$here/cluster/manifests/dns.yaml" | kubectl apply -f -
  for node in "${NODES[@]}"; do
    wait_until 60 "node $node to be known to the API server" node_known "$node"
    start_firewall "$node"
  done
  wait_until 90 "both nodes to be Ready" nodes_ready
  kubectl -n kube-system rollout status deployment/cluster-dns --timeout 60s
}

report_dead_programs() {
  local program
  for program in $(programs); do
    if [ -e "$TMAX_STATE/run/$program.pid" ] && ! running "$program"; then
      echo "$program has ended; the last lines of $TMAX_STATE/log/$program.log:" >&2
      tail -n 5 "$TMAX_STATE/log/$program.log" | sed 's/^/    | /' >&2
    fi
  done
}

up() {
  "$here/packages.sh" cluster
  "$here/binaries/build.sh"
  exec 9>"$TMAX_CACHE/cluster.lock" # Two that start at once would choose the same addresses.
  flock 9
  check_owner
  if all_running; then
    echo "The cluster $TMAX_CLUSTER runs already. export KUBECONFIG=$KUBECONFIG"
    return
  fi
  if has_remains; then stage "Removing what is left of an earlier cluster $TMAX_CLUSTER" remove_remains; fi
  set_addresses
  trap report_dead_programs EXIT
  stage "Starting Kubernetes $TMAX_CLUSTER: two nodes (logs of its programs: $TMAX_STATE/log)" start_cluster
  trap - EXIT
  echo "The cluster $TMAX_CLUSTER is ready. export KUBECONFIG=$KUBECONFIG"
}

down() {
  mkdir -p "$TMAX_CACHE"
  exec 9>"$TMAX_CACHE/cluster.lock"
  flock 9
  check_owner
  if has_remains; then
    stage "Removing the cluster $TMAX_CLUSTER" remove_remains
  else
    echo "There is no cluster $TMAX_CLUSTER."
  fi
}

status() {
  local program
  for program in $(programs); do
    if running "$program"; then echo "$program: running, process $(cat "$TMAX_STATE/run/$program.pid")"; else echo "$program: not running"; fi
  done
  if ! all_running; then return 1; fi
  kubectl get nodes -o wide
}

check_name
[ "$(id -u)" = 0 ] || { echo "cluster.sh: be root, nodes are made of namespaces and mounts" >&2; exit 1; }
case "${1:-}" in
  up | down | status)
    if command -v kind >/dev/null && docker info >/dev/null 2>&1; then
      # shellcheck source=cluster/kind.sh
      source "$here/cluster/kind.sh"
      "kind_$1"
    else
      "$1"
    fi
    ;;
  *) sed -n '2,/^set -e/{/^set -e/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
