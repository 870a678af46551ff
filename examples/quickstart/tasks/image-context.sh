#!/bin/sh
# Fills DIR with what the Dockerfile beside this script copies: the folders train and held-out.
set -eu
exec python3 -B "$(dirname "$0")/generate.py" "${1:?usage: image-context.sh DIR}"
