#!/usr/bin/env bash
# targets.sh FILE: keeps FILE a list of what Prometheus is to scrape: the port named http of the running pods of operator,
# trainers and generators, by the labels that the chart's PodMonitors select.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../env.sh
source "$here/env.sh"
# shellcheck source=../cluster/names.sh
source "$here/cluster/names.sh"
# shellcheck source=../cluster/control-plane.sh
source "$here/cluster/control-plane.sh"

list_targets() {
  ask_api_server '/api/v1/pods?fieldSelector=status.phase%3DRunning' | jq '
    [.items[]
      | (.metadata.labels // {}) as $labels
      | select($labels["app.kubernetes.io/name"] == "tmax-operator"
          or ($labels["app.kubernetes.io/managed-by"] == "tmax-operator"
            and ($labels["tmax.dev/component"] | IN("trainer", "generator"))))
      | . as $pod | .spec.containers[].ports[]? | select(.name == "http")
      | {targets: ["\($pod.status.podIP):\(.containerPort)"],
         labels: {pod: $pod.metadata.name, component: ($labels["tmax.dev/component"] // "operator")}}]'
}

set_addresses
while :; do
  if list_targets >"$1.new" && ! cmp -s "$1.new" "$1"; then mv "$1.new" "$1"; fi # Prometheus sees the renaming.
  sleep 1
done
