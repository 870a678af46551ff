# Sourced after processes.sh. A network namespace per node, joined by a bridge on the host.
# shellcheck shell=bash

make_network() {
  local node other name address
  # Policies between pods of one node are seen by the firewall only if bridged packets pass through it.
  modprobe -q br_netfilter || true
  ip link add "$BRIDGE" type bridge
  ip link set dev "$BRIDGE" alias "tmax cluster in $TMAX_STATE"
  ip address add "$HOST_ADDRESS/24" dev "$BRIDGE"
  ip link set "$BRIDGE" up
  for node in "${NODES[@]}"; do
    name=$(node_name "$node")
    address=$(node_address "$node")
    ip netns add "$name"
    ip link add "$TMAX_CLUSTER-v$node" type veth peer name eth0 netns "$name"
    ip link set "$TMAX_CLUSTER-v$node" master "$BRIDGE" up
    ip -n "$name" address add "$address/24" dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" link set lo up
    ip -n "$name" route add default via "$HOST_ADDRESS"
    for other in "${NODES[@]}"; do
      [ "$node" = "$other" ] || ip -n "$name" route add "$(node_pods "$other")" via "$(node_address "$other")"
    done
    in_network "$node" sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1
    # From the host, for tests and people: pods by their addresses.
    ip route add "$(node_pods "$node")" via "$address"
  done
  ip route add "$SERVICES.0/16" via "$API_ADDRESS"
}

delete_network() {
  local node
  for node in "${NODES[@]}"; do
    ip netns delete "$(node_name "$node")" 2>/dev/null || true
    ip link delete "$TMAX_CLUSTER-v$node" 2>/dev/null || true
  done
  ip link delete "$BRIDGE" 2>/dev/null || true # Its routes go with it.
}
