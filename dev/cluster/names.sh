# Sourced after env.sh. Names, addresses and places of the cluster $TMAX_CLUSTER; all derive from its name and from the
# number of its network, so that clusters of different names do not meet.
# shellcheck shell=bash
# shellcheck disable=SC2034 # Used by the files that are sourced after this one.

NODES=(0 1)
BRIDGE=$TMAX_CLUSTER-br
CGROUP=tmaxcluster-$TMAX_CLUSTER
POD_NETWORK=$TMAX_CLUSTER-pods
# Folders that containerd, the kubelet and CNI plugins write to wherever their own state lies. Each node sees folders
# of its own there, in its mount namespace; on the host they stay empty.
HIDDEN_FOLDERS=(/run/containerd /opt/containerd /var/lib/cni /var/lib/kubelet /var/log/containers)

node_name() { echo "$TMAX_CLUSTER-$1"; }
node_folder() { echo "$TMAX_STATE/node-$1"; }

# The network's number: 10.240.N.0/24 are nodes, 10.(96+N).0.0/16 services, 10.244.(2N+node).0/24 pods.
network_number() {
  local number
  number=$({ ip -4 -o address show dev "$BRIDGE" 2>/dev/null || true; } |
    sed -n 's/.* 10\.240\.\([0-9]*\)\.254\/.*/\1/p')
  if [ -z "$number" ]; then
    number=0
    while ip -4 -o address | grep -q " 10\.240\.$number\.254/"; do number=$((number + 1)); done
    [ "$number" -lt 10 ] || { echo "10 clusters run on this machine already" >&2; return 1; }
  fi
  echo "$number"
}

set_addresses() {
  local number
  number=$(network_number)
  HOST_ADDRESS=10.240.$number.254
  API_ADDRESS=10.240.$number.1
  SERVICES=10.$((96 + number)).0
  POD_RANGE=10.244.0.0/16
  NETWORK=$number
}
node_address() { echo "10.240.$NETWORK.$(($1 + 1))"; }
node_pods() { echo "10.244.$((2 * NETWORK + $1)).0/24"; }

check_name() {
  [[ $TMAX_CLUSTER =~ ^[a-z][a-z0-9]{0,9}$ ]] || {
    echo "TMAX_CLUSTER '$TMAX_CLUSTER': use 1 to 10 lower-case letters and digits, it becomes part of link names" >&2
    return 1
  }
  [[ $TMAX_STATE == /* && $TMAX_STATE != / && $TMAX_STATE != /var && $TMAX_STATE != /var/lib ]] || {
    echo "TMAX_STATE '$TMAX_STATE': give an absolute path of a folder that belongs to the cluster alone" >&2
    return 1
  }
}

# Refuses to touch a cluster of the same name that lives in another folder, or a folder of another cluster.
check_owner() {
  local other
  other=$(cat "/sys/class/net/$BRIDGE/ifalias" 2>/dev/null || true)
  other=${other#tmax cluster in }
  if [ -n "$other" ] && [ "$other" != "$TMAX_STATE" ]; then
    echo "A cluster named '$TMAX_CLUSTER' already lives in $other. Use it (TMAX_STATE=$other), end it" \
      "(TMAX_STATE=$other dev/cluster.sh down) or give this one another name (TMAX_CLUSTER=...)." >&2
    return 1
  fi
  if [ -s "$TMAX_STATE/name" ] && [ "$(cat "$TMAX_STATE/name")" != "$TMAX_CLUSTER" ]; then
    echo "$TMAX_STATE belongs to the cluster '$(cat "$TMAX_STATE/name")': set TMAX_STATE to another folder." >&2
    return 1
  fi
  if [ ! -e "$TMAX_STATE/name" ] && [ -d "$TMAX_STATE" ] && [ -n "$(ls -A "$TMAX_STATE")" ]; then
    echo "$TMAX_STATE is not empty and was not made by cluster.sh: set TMAX_STATE to another folder." >&2
    return 1
  fi
}

# wait_until SECONDS "what" COMMAND...: polls the command until it succeeds.
wait_until() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "Waited in vain for: $what. Last answer of '$*':" >&2
      "$@" >&2 || true
      return 1
    fi
    sleep 0.1
  done
}
