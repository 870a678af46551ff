#!/usr/bin/env bash
# test-cluster.sh: proves on a cluster of its own ("smoke", beside any other) what the project needs of a cluster: pods
# on both nodes, user namespaces, image volumes, volumes for pods that are not root, names, network policies; then that
# cluster.sh leaves nothing behind and starts over the remains of a killed cluster. Prints one line per check and
# "N passed, N failed".
# shellcheck disable=SC2016 # What runs in pods is expanded there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export TMAX_CLUSTER=${TMAX_SMOKE_CLUSTER:-smoke}
unset TMAX_STATE KUBECONFIG
# shellcheck source=env.sh
source "$here/env.sh"
# shellcheck source=stages.sh
source "$here/stages.sh"
# shellcheck source=cluster/names.sh
source "$here/cluster/names.sh"
# shellcheck source=cluster/processes.sh
source "$here/cluster/processes.sh"

passed=0 failed=0
check() { # sentence, command...
  local sentence=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok      $sentence"
  else
    failed=$((failed + 1))
    echo "FAILED  $sentence"
    printf '%s\n' "$output" | tail -n 15 | sed 's/^/        | /'
  fi
}
in_pod() { # pod, shell command
  kubectl exec "$1" -- bash -c "$2"
}
connects() { # pod, host, port
  in_pod "$1" "timeout 3 bash -c 'exec 3<>/dev/tcp/$2/$3 && read -r line <&3 && [ \"\$line\" = hello ]'"
}
refused() { # pod, host, port: the pod lives, and cannot connect
  in_pod "$1" true && ! connects "$@"
}
settles() { # command...: the command succeeds within 15 s (firewalls follow the API server)
  wait_until 15 "$*" "$@"
}
address_of() { kubectl get pod "$1" -o 'jsonpath={.status.podIP}'; }

# Nothing of this cluster on the machine: no process, mount, namespace, link, control group, route or file.
no_remains() {
  local found
  found=$({
    grep -l "$TMAX_STATE" /proc/[0-9]*/cmdline || true
    find /sys/fs/cgroup -type d -name "$CGROUP" || true
    grep -F "$TMAX_STATE" /proc/mounts || true
    ip netns list | grep "^$TMAX_CLUSTER-" || true
    ip -o link | grep -E " $TMAX_CLUSTER-(br|v[0-9])" || true
    ip route | grep -F "$BRIDGE" || true
    find "$TMAX_STATE" -maxdepth 0 || true
    for hidden in "${HIDDEN_FOLDERS[@]}"; do find "$hidden" -mindepth 1 -maxdepth 1; done || true
  } 2>/dev/null)
  if [ -n "$found" ]; then
    echo "$found"
    return 1
  fi
}

kill_everything() { # as a power cut would, but for what the kernel keeps: namespaces, links, control groups, files
  local pids
  while mapfile -t pids < <(members) && [ ${#pids[@]} != 0 ]; do
    kill -9 "${pids[@]}" 2>/dev/null || true
    sleep 0.1
  done
}

cleanup() {
  local status=$?
  if [ "${TMAX_KEEP_CLUSTER:-no}" != yes ]; then "$here/cluster.sh" down || true; fi
  exit "$status"
}

"$here/images.sh" build debian
"$here/cluster.sh" down
trap cleanup EXIT
start=$SECONDS
"$here/cluster.sh" up
echo "two nodes, DNS and storage ready after $((SECONDS - start)) s"
"$here/images.sh" load debian

start=$SECONDS
kubectl apply -f "$here/cluster/smoke.yaml" >/dev/null
check "pods on both nodes run" kubectl wait --for=condition=Ready pod --all --timeout=60s
echo "six pods ready after $((SECONDS - start)) s"
check "a pod without toleration is on the workers' node" test "$(kubectl get pod client -o 'jsonpath={.spec.nodeName}')" = "$(node_name 0)"
check "a pod with the toleration is on the sandboxes' node" test "$(kubectl get pod sandbox -o 'jsonpath={.spec.nodeName}')" = "$(node_name 1)"
check "root in a pod with hostUsers: false is nobody on the node" in_pod sandbox '! grep -qE "^ +0 +0 " /proc/self/uid_map && [ "$(id -u)" = 0 ]'
check "it can make namespaces and mount proc in them" in_pod sandbox 'unshare --mount --pid --fork --mount-proc --net bash -c "[ \$\$ = 1 ] && ip link set lo up 2>/dev/null || true; [ -r /proc/1/status ]"'
check "it can stack an overlay on its own root" in_pod sandbox 'mkdir -p /sandboxes/u /sandboxes/w /sandboxes/m && unshare --mount bash -c "mount -t overlay overlay -o userxattr,lowerdir=/,upperdir=/sandboxes/u,workdir=/sandboxes/w /sandboxes/m && echo x >/sandboxes/m/file && [ -e /sandboxes/u/file ]"'
check "an image volume shows the image's files, read-only" in_pod sandbox '[ -e /image/etc/debian_version ] && ! touch /image/file 2>/dev/null'
check "a pod that is not root writes to its claim" in_pod volume '[ "$(id -u)" = 65532 ] && echo data >/data/file && [ "$(cat /data/file)" = data ]'
check "the claim's data lies below the state folder" bash -c "grep -rqx data '$TMAX_STATE/volumes'"
check "a Service's name leads to its pods, on the same node" settles connects client server.default.svc.cluster.local 8000
check "and from the other node" settles connects sandbox server.default 8000
check "pods reach pods of the other node" settles connects client "$(address_of sandbox-server)" 8000
check "the API server can be reached from a pod" in_pod client "timeout 3 bash -c 'exec 3<>/dev/tcp/kubernetes.default/443'"

kubectl apply -f "$here/cluster/smoke-policies.yaml" >/dev/null
check "a policy stops a pod that is not let in, from the other node" settles refused sandbox "$(address_of server)" 8000
check "and lets in the one that is, by pod" connects client "$(address_of server)" 8000
check "and by Service" connects client server 8000
check "a policy stops a pod that is not let in, on the other node" settles refused server "$(address_of sandbox-server)" 8000
check "and lets in the one that is, across nodes" connects client "$(address_of sandbox-server)" 8000
check "a pod without egress reaches no pod" refused sandbox "$(address_of client-server)" 8000
check "nor DNS" in_pod sandbox '! timeout 5 getent hosts server.default.svc.cluster.local'
check "nor the API server, by Service" in_pod sandbox "! timeout 3 bash -c 'exec 3<>/dev/tcp/$(kubectl get service kubernetes -o 'jsonpath={.spec.clusterIP}')/443'"
check "nor by the node's address" in_pod sandbox "! timeout 3 bash -c 'exec 3<>/dev/tcp/$(kubectl get endpoints kubernetes -o 'jsonpath={.subsets[0].addresses[0].ip}' 2>/dev/null)/6443'"
check "nor the kubelet of its node" in_pod sandbox "! timeout 3 bash -c 'exec 3<>/dev/tcp/$(kubectl get node "$(node_name 1)" -o 'jsonpath={.status.addresses[0].address}')/10250'"

check "pods and claims can be deleted" kubectl delete -f "$here/cluster/smoke.yaml" --wait --timeout 60s
check "the data of a deleted claim is gone" settles bash -c "[ -z \"\$(ls -A '$TMAX_STATE/volumes')\" ]"
check "up on a running cluster changes nothing" bash -c "before=\$(cat '$TMAX_STATE'/run/*.pid); '$here/cluster.sh' up && [ \"\$before\" = \"\$(cat '$TMAX_STATE'/run/*.pid)\" ]"
check "a cluster of the same name elsewhere is refused" bash -c "! TMAX_STATE=/var/lib/tmax/elsewhere '$here/cluster.sh' up >/tmp/refusal.\$\$ 2>&1; grep -q 'already lives in $TMAX_STATE' /tmp/refusal.\$\$; found=\$?; rm /tmp/refusal.\$\$; exit \$found"

kubectl apply -f "$here/cluster/smoke.yaml" >/dev/null
check "pods run before the power cut" kubectl wait --for=condition=Ready pod --all --timeout=60s
kill_everything
start=$SECONDS
"$here/cluster.sh" up
echo "up over the remains took $((SECONDS - start)) s"
check "a cluster starts over the remains of a killed one" kubectl get nodes
check "and is new" test -z "$(kubectl get pods -o name)"
start=$SECONDS
"$here/cluster.sh" down
echo "down took $((SECONDS - start)) s"
check "nothing is left after down" no_remains
trap - EXIT

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
