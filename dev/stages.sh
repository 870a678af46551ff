# Sourced, after env.sh. stage "What it does" COMMAND [ARG...]: runs a command or shell function with its output in a
# log file, says what is being done and for how long, and on failure prints the end of the log and where it lies.
# Logs are in $TMAX_LOGS, by default target/logs of the checkout.
# shellcheck shell=bash

export TMAX_LOGS=${TMAX_LOGS:-$TMAX_REPOSITORY/target/logs}

stage() {
  local title=$1 log status=0 start=$SECONDS ticker
  shift
  mkdir -p "$TMAX_LOGS"
  log=$TMAX_LOGS/$(date +%H%M%S)-$(tr -cs 'a-zA-Z0-9' '-' <<<"${title%%(*}" | cut -c1-50 | sed 's/-*$//').log
  if [ "${TMAX_IN_STAGE:-no}" = yes ]; then # Within another stage: its log is where output goes.
    echo "$title"
    "$@"
    return
  fi
  echo "==> $title"
  (
    trap 'kill $! 2>/dev/null; exit 0' TERM
    pause=5
    while :; do
      sleep "$pause" &
      wait $!
      echo "    ... $((SECONDS - start)) s: $title"
      pause=15
    done
  ) &
  ticker=$!
  # A subshell of its own, so that errexit holds inside: bash drops it for commands whose status is tested.
  set +e
  (
    set -e
    export TMAX_IN_STAGE=yes
    "$@"
  ) >"$log" 2>&1 </dev/null
  status=$?
  set -e
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  if [ "$status" != 0 ]; then
    {
      echo "FAILED after $((SECONDS - start)) s (exit status $status): $title"
      echo "    command: $*"
      echo "    the last lines of its output:"
      tail -n 30 "$log" | sed 's/^/    | /'
      echo "    whole log: $log"
    } >&2
    return "$status"
  fi
  echo "    done in $((SECONDS - start)) s"
}
