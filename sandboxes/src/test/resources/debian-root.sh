#!/bin/sh
# debian-root.sh CACHE: prints a folder with a small Debian root file system; makes it once per content of this script.
set -eu
key=$(sha256sum "$0" | cut -c1-12)
root=$1/test-root-$key
mkdir -p "$1"
exec 9>"$1/test-root.lock"
flock 9
if [ ! -e "$root/complete" ]; then
  rm -rf "$root"
  mkdir -p "$root/tree"
  mmdebstrap --quiet --variant=minbase --include=python3-minimal,procps,sudo,less,vim-tiny \
    bookworm "$root/tree.tar" >&2
  tar -C "$root/tree" -xf "$root/tree.tar" --exclude='./dev/*'
  rm "$root/tree.tar"
  touch "$root/complete"
fi
printf '%s\n' "$root/tree"
