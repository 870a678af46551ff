#!/usr/bin/env bash
# copy-crds.sh [--check]: copies the generated CRDs into the chart; with --check only says whether they differ.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source=../crds/src/main/crds
copies=tmax-operator/crd-files
if [ "${1:-}" = --check ]; then
  diff -r "$source" "$copies" || {
    echo "helm/$copies differs from ${source#../}: run helm/copy-crds.sh and commit" >&2
    exit 1
  }
  exit 0
fi
rm -f "$copies"/*.yaml
cp "$source"/*.yaml "$copies"/
