#!/usr/bin/env bash
# image-context.sh DIR: the same without tokenizer.json.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../small-model.sh" "$1" without-tokenizer
