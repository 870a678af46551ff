#!/usr/bin/env bash
# rootfs.sh [folder]: prints the path of a small Debian bookworm root file system, as a tar archive or as a folder, after
# making it where the cache has none of this recipe. It stands in for docker.io/library/debian:bookworm-slim.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=env.sh
source "$here/env.sh"
# shellcheck source=stages.sh
source "$here/stages.sh"

mirror=${TMAX_DEBIAN_MIRROR:-http://deb.debian.org/debian}
# minbase: what Debian calls essential, and apt. As in the slim images, no manuals, documentation and translations.
# shellcheck disable=SC2016 # mmdebstrap's shell expands.
recipe=(--mode=root --variant=minbase --skip=output/dev --components=main
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*'
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright'
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/lintian/*'
  --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/var/cache/debconf/*-old "$1"/var/log/*.log'
  --customize-hook='rm -rf "$1"/var/log/apt "$1"/etc/hostname "$1"/etc/resolv.conf "$1"/etc/machine-id'
  --customize-hook='rm -rf "$1"/var/lib/dpkg/*-old "$1"/var/cache/ldconfig "$1"/etc/.pwd.lock'
)
# mmdebstrap sorts the archive and dates all files by this, so the same packages give the same bytes.
export SOURCE_DATE_EPOCH=1767225600

key=$(printf '%s\n' "${recipe[@]}" "$SOURCE_DATE_EPOCH" | sha256sum | cut -c1-12)
archive=$TMAX_CACHE/rootfs/bookworm-slim-$key.tar
folder=${archive%.tar}

make_archive() {
  local empty
  mmdebstrap "${recipe[@]}" bookworm "$archive.part.tar" "$mirror"
  empty=$(mktemp -d) # Device nodes are left out, and their folder with them.
  mkdir -m 755 "$empty/dev"
  tar --append --file "$archive.part.tar" -C "$empty" --owner=0 --group=0 --mtime="@$SOURCE_DATE_EPOCH" ./dev
  rm -r "$empty"
  mv "$archive.part.tar" "$archive"
}

make_folder() {
  rm -rf "$folder.part"
  mkdir -p "$folder.part"
  tar -xpf "$archive" -C "$folder.part" --numeric-owner
  mv "$folder.part" "$folder"
}

mkdir -p "$TMAX_CACHE/rootfs"
exec 9>"$TMAX_CACHE/rootfs/.lock"
flock 9
if [ ! -s "$archive" ]; then
  "$here/packages.sh" images >&2
  stage "Making a Debian root file system (mmdebstrap, first time only)" make_archive >&2
fi
case "${1:-archive}" in
  archive) echo "$archive" ;;
  folder)
    [ -d "$folder" ] || make_folder
    echo "$folder"
    ;;
  *) echo "rootfs.sh: archive or folder, not '$1'" >&2; exit 2 ;;
esac
