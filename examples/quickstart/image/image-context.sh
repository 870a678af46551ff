#!/bin/sh
# Fills DIR with what the Dockerfile beside this script copies: nothing.
set -eu
mkdir -p "${1:?usage: image-context.sh DIR}"
