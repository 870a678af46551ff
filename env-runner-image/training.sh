#!/usr/bin/env bash
# training.sh TREE WORK CLASSPATH: makes TREE/env-runner.aot from what the env-runner does with a real cell. Runs in a
# mount namespace of its own, where TREE is at /opt/tmax as in a pod.
set -euo pipefail
tree=$1 work=$2 classpath=$3
port=18080
token=only-for-the-training-of-the-class-cache

mount -t tmpfs tmpfs /opt
mkdir /opt/tmax
mount --bind "$tree" /opt/tmax
# crun takes no machine with both versions of cgroups; cells use neither.
[ ! -d /sys/fs/cgroup/unified ] || mount -t tmpfs tmpfs /sys/fs/cgroup
mkdir -p "$work/root/bin" "$work/root/etc" "$work/root/proc" "$work/root/dev" "$work/state"
cp "$tree/cell/busybox" "$work/root/bin/sh"

ask() { # method path body
  local options=(--header "Authorization: Bearer $token")
  [ "$1" = GET ] || options+=(--post-data "$3")
  /opt/tmax/cell/busybox wget -q -O - "${options[@]}" "http://127.0.0.1:$port$2"
}

env -i TMAX_TOKEN=$token TMAX_PORT=$port TMAX_ROOT="$work/root" TMAX_STATE="$work/state" \
  TMAX_JAVA_OPTIONS="-XX:AOTMode=record -XX:AOTConfiguration=$work/env-runner.aotconf" \
  /opt/tmax/bin/env-runner >"$work/log" 2>&1 &
runner=$!
until ask GET /healthz >/dev/null 2>&1; do
  kill -0 $runner || { echo "training.sh: the env-runner does not start:"; cat "$work/log"; exit 1; } >&2
done
ask POST /v1/lease '{"holder": "training", "ttlMs": 60000}' >/dev/null
for cell in a b; do
  ask POST /v1/cells "{\"requestId\": \"$cell\", \"id\": \"$cell\", \"environment\": {\"A\": \"1\"}}" >/dev/null
  for command in 1 2 3; do
    ask POST "/v1/cells/$cell/commands" "{\"commandId\": \"$command\", \"command\": \"echo hello >/f$command; ls /\", \"timeoutMs\": 20000}" >/dev/null
  done
done
ask POST /v1/cells '{"requestId": "v", "id": "v", "base": "a"}' >/dev/null
ask POST /v1/cells/v/processes '{"requestId": "p", "arguments": ["/bin/sh", "-c", "echo 1"], "timeoutMs": 20000}' >/dev/null
ask GET '/v1/cells/v/files?path=/f1&maxBytes=100000' >/dev/null
ask GET /v1/cells >/dev/null
ask GET /v1/cells/b/changes >/dev/null
ask GET /metrics >/dev/null
ask POST /v1/finish '' >/dev/null
wait $runner

/opt/tmax/jre/bin/java -XX:+UseG1GC -XX:AOTMode=create -XX:AOTConfiguration="$work/env-runner.aotconf" \
  -XX:AOTCache=/opt/tmax/env-runner.aot -cp "$classpath" >>"$work/log" 2>&1 || true
[ -s /opt/tmax/env-runner.aot ] || { echo "training.sh: no class cache was made:"; cat "$work/log"; exit 1; } >&2
