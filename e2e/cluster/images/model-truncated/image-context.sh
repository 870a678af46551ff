#!/usr/bin/env bash
# image-context.sh DIR: the same with a weights file that lacks its end.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../small-model.sh" "$1" truncated
