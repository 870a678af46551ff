#!/usr/bin/env bash
# image-context.sh DIR: the same with an architecture that is not supported.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../small-model.sh" "$1" unknown-architecture
