#!/usr/bin/env bash
# check.sh: builds the images of the example tasks and checks every task: its reference solution gets the reward 1, doing
# nothing gets 0. Ends with one line "N passed, N failed"; figures in target/proofs/tasks.json.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../../dev/env.sh
source "$here/../../dev/env.sh"
# shellcheck source=../../dev/stages.sh
source "$here/../../dev/stages.sh"
use_java

store=$TMAX_CACHE/buildah
figures=$TMAX_REPOSITORY/target/proofs/tasks.json
results=()

build_tools() {
  buildah --root "$store/root" --runroot "$store/run" --storage-driver overlay \
    bud --format docker --isolation chroot --pull-never --layers --timestamp 0 \
    --tag "$TMAX_IMAGES/task-tools:$TMAX_IMAGE_TAG" "$here/image"
}

mkdir -p "$(dirname "$figures")"
"$here/../../dev/images.sh" build debian
stage "Image task-tools" build_tools
for format in harbor terminal-bench; do
  lock=$TMAX_REPOSITORY/target/proofs/$format.lock.json
  "$here/../../tasks/tasks.sh" build "$here/$format" --store "$store" --lock "$lock"
  "$here/../../tasks/tasks.sh" check "$here/$format" --store "$store" --lock "$lock" --json "$figures.$format" || true
  results+=("$figures.$format")
done
jq -s 'add' "${results[@]}" >"$figures"
rm "${results[@]}"
jq -r '"\(map(select(.verdict == "usable")) | length) passed, \(map(select(.verdict != "usable")) | length) failed"' "$figures"
jq -e 'length > 0 and all(.verdict == "usable")' "$figures" >/dev/null
