#!/usr/bin/env bash
# prometheus.sh up [RULES]    a real Prometheus that scrapes operator, trainers and generators of the cluster every 2 s;
#                             RULES: a file of recording and alerting rules to evaluate
# prometheus.sh query EXPR    an instant query; prints the response's data as JSON
# prometheus.sh url           where it answers, from the host
# prometheus.sh down          ends it and removes its data; ends with the cluster too
#
# It runs on the network of the workers' node, whose pods let their own node in whatever the network policies say.
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

check_name
set_addresses
url=http://$API_ADDRESS:9090
folder=$TMAX_STATE/prometheus

up() {
  if running prometheus && curl -fsS -m 2 "$url/-/ready" >/dev/null 2>&1; then return; fi
  running apiserver || { echo "prometheus.sh: the cluster $TMAX_CLUSTER does not run: dev/cluster.sh up" >&2; return 1; }
  "$here/packages.sh" metrics
  mkdir -p "$folder"
  echo '[]' >"$folder/targets.json"
  sed "s|TARGETS|$folder/targets.json|" "$here/prometheus/prometheus.yaml" >"$folder/prometheus.yaml"
  if [ $# != 0 ]; then printf 'rule_files: [%s]\n' "$(realpath "$1")" >>"$folder/prometheus.yaml"; fi
  start prometheus-targets "$here/prometheus/targets.sh" "$folder/targets.json"
  start prometheus nsenter "--net=/run/netns/$(node_name 0)" -- prometheus --config.file "$folder/prometheus.yaml" \
    --storage.tsdb.path "$folder/data" --web.listen-address "$API_ADDRESS:9090" --storage.tsdb.retention.time 2h
  stage "Starting Prometheus at $url" wait_until 30 "Prometheus" curl -fsS -m 2 "$url/-/ready"
}

down() {
  local program
  for program in prometheus prometheus-targets; do
    if running "$program"; then
      kill "$(cat "$TMAX_STATE/run/$program.pid")"
      while running "$program"; do sleep 0.1; done
    fi
    rm -f "$TMAX_STATE/run/$program.pid"
  done
  rm -rf "$folder"
}

case "${1:-}" in
  up)
    shift
    up "$@"
    ;;
  query) curl -fsS -G --data-urlencode "query=${2:?the expression to evaluate}" "$url/api/v1/query" | jq -c .data ;;
  url) echo "$url" ;;
  down) down ;;
  *) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
esac
