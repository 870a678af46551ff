# Sourced after control-plane.sh. A node: containerd, kubelet, kube-proxy and the firewall, in a network and a mount
# namespace of their own. Whatever they mount, pods' volumes and containers' roots included, is gone with their last
# process.
# shellcheck shell=bash

NODE_ROLES=(workers sandboxes)

start_namespaces() { # node
  local folder hidden
  folder=$(node_folder "$1")
  for hidden in "${HIDDEN_FOLDERS[@]}"; do mkdir -p "$hidden" "$folder/hidden$hidden"; done
  # shellcheck disable=SC2016 # The inner shell expands.
  start "namespaces-$1" nsenter "--net=/run/netns/$(node_name "$1")" -- \
    unshare --mount --propagation private -- bash -ec '
      folder=$1
      shift
      mount --make-rshared /
      for hidden in "$@"; do mount --bind "$folder/hidden$hidden" "$hidden"; done
      exec -a "tmax-node $folder" sleep infinity' namespaces "$folder" "${HIDDEN_FOLDERS[@]}"
  wait_until 10 "the namespaces of node $1" grep -qs "^tmax-node" "/proc/$(cat "$TMAX_STATE/run/namespaces-$1.pid")/cmdline"
}

# on_node NODE: sets `enter`, the prefix of a command that runs in the node's namespaces.
on_node() {
  enter=(nsenter -t "$(cat "$TMAX_STATE/run/namespaces-$1.pid")" --mount --net --)
}

start_containerd() { # node
  local folder enter
  folder=$(node_folder "$1")
  mkdir -p "$folder/cni" "$folder/containerd"
  cat >"$folder/cni/10-pods.conflist" <<JSON
{"cniVersion": "1.0.0", "name": "$POD_NETWORK", "plugins": [
  {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "$folder/addresses", "ranges": [[{"subnet": "$(node_pods "$1")"}]],
            "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
JSON
  cat >"$folder/containerd.toml" <<TOML
version = 3
root = "$folder/containerd/root"
state = "$folder/containerd/state"
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$folder/containerd.sock"
[plugins."io.containerd.cri.v1.runtime"]
  # Needed where root lacks CAP_SYS_RESOURCE, as in many containers and virtual machines.
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "$folder/cni"
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "$TMAX_IMAGES/pause:$TMAX_IMAGE_TAG"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
  BinaryName = "$TMAX_BIN/runc"
  SystemdCgroup = false
TOML
  on_node "$1"
  start "containerd-$1" "${enter[@]}" "$TMAX_BIN/containerd" --config "$folder/containerd.toml" --log-level warn
}

containerd_answers() { "$TMAX_BIN/ctr" --address "$(node_folder "$1")/containerd.sock" version; }

start_kubelet() { # node
  local folder name taints="[]" enter
  folder=$(node_folder "$1")
  name=$(node_name "$1")
  [ "${NODE_ROLES[$1]}" != sandboxes ] || taints='[{key: tmax.dev/sandboxes, value: "true", effect: NoSchedule}]'
  : >"$folder/resolv.conf"
  cat >"$folder/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $TMAX_STATE/pki/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: $TMAX_STATE/pki/node-$1.crt
tlsPrivateKeyFile: $TMAX_STATE/pki/node-$1.key
cgroupDriver: cgroupfs
cgroupRoot: /$CGROUP/node-$1
failSwapOn: false
failCgroupV1: false
containerRuntimeEndpoint: unix://$folder/containerd.sock
clusterDNS: [$SERVICES.10]
clusterDomain: cluster.local
resolvConf: $folder/resolv.conf
podLogsDir: $folder/pod-logs
volumePluginDir: $folder/volume-plugins
registerWithTaints: $taints
maxPods: 250
serializeImagePulls: false
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
YAML
  on_node "$1"
  start "kubelet-$1" "${enter[@]}" "$TMAX_BIN/kubelet" --config "$folder/kubelet.yaml" \
    --kubeconfig "$TMAX_STATE/pki/node-$1.kubeconfig" --hostname-override "$name" --root-dir "$folder/kubelet" \
    --cert-dir "$folder/kubelet/pki" --node-ip "$(node_address "$1")" \
    --node-labels "tmax.dev/role=${NODE_ROLES[$1]}" --v 1
  start "proxy-$1" "${enter[@]}" "$TMAX_BIN/kube-proxy" --kubeconfig "$TMAX_STATE/pki/proxy.kubeconfig" \
    --hostname-override "$name" --cluster-cidr "$POD_RANGE" --proxy-mode nftables --conntrack-max-per-core 0 \
    --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0
}

start_firewall() { # node, once it is known to the API server
  local enter
  on_node "$1"
  start "firewall-$1" "${enter[@]}" env "NODE_NAME=$(node_name "$1")" "$TMAX_BIN/network-policy" \
    --kubeconfig "$KUBECONFIG" --hostname-override "$(node_name "$1")" --service-cluster-ip-range "$SERVICES.0/16"
}
