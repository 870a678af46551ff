#!/usr/bin/env bash
# small-model.sh DIR KIND: fills DIR with a random model of the quickstart's architecture, whole or broken in one way.
set -euo pipefail
directory=$1 kind=$2
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=../../../dev/env.sh
source "$repository/dev/env.sh"
use_java

"$repository/language-model/model.sh" random "$directory"
case $kind in
  whole) ;;
  without-config) rm "$directory/config.json" ;;
  without-tokenizer) rm "$directory/tokenizer.json" ;;
  unknown-architecture) sed -i 's/LlamaForCausalLM/MambaForCausalLM/' "$directory/config.json" ;;
  truncated) truncate -s -100000 "$directory/model.safetensors" ;;
  *)
    echo "small-model.sh: no kind '$kind'" >&2
    exit 2
    ;;
esac
