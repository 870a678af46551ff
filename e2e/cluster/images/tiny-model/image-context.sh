#!/usr/bin/env bash
# image-context.sh DIR: a small random model that can be trained.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../small-model.sh" "$1" whole
