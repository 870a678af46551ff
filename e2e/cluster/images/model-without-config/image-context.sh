#!/usr/bin/env bash
# image-context.sh DIR: the same without config.json.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../small-model.sh" "$1" without-config
