#!/usr/bin/env bash
# images.sh build [NAME...|all]   builds the images of images.txt whose content has changed
# images.sh load [NAME...|all]    imports built images into the nodes of the cluster that need them
# images.sh archive NAME          prints the path of a built image's archive
#
# An image's folder has a Dockerfile, for anybody's `docker build`, and image-context.sh DIR, which fills DIR with what
# the Dockerfile copies. The image is named by a hash of both and of its bases, and kept as an uncompressed archive in
# $TMAX_CACHE/images: images live on one machine, where compressing costs more than it saves.
# Images FROM scratch that only copy are written directly (oci_image.py), others by Docker where its daemon answers,
# else by buildah.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=env.sh
source "$here/env.sh"
# shellcheck source=stages.sh
source "$here/stages.sh"

base=docker.io/library/debian:bookworm-slim
archives=$TMAX_CACHE/images

table() { grep -vE '^(#|$)' "$here/images.txt"; }
names() { table | awk '{print $1}'; }
folder_of() { table | awk -v name="$1" '$1 == name {print $2}'; }
nodes_of() { table | awk -v name="$1" '$1 == name {print $3}'; }
reference() { if [ "$1" = debian ]; then echo "$base"; else echo "$TMAX_IMAGES/$1:$TMAX_IMAGE_TAG"; fi; }
built_file() { echo "$TMAX_REPOSITORY/target/images/$1"; } # holds the hash that this checkout built last

has_docker() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }
buildah_here() { buildah --root "$TMAX_CACHE/buildah/root" --runroot "$TMAX_CACHE/buildah/run" --storage-driver overlay "$@"; }

# The hash of a folder: names, permissions, links and content of its files.
hash_folder() {
  (cd "$1" && find . -printf '%p %y %m %l\n' | LC_ALL=C sort && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum) |
    sha256sum | cut -c1-16
}

# The hashes of those of our images that a Dockerfile starts from.
base_hashes() {
  local image name
  sed -nE 's/^FROM +(--[^ ]+ +)?([^ ]+).*/\2/p; s/^COPY +--from=([^ ]+).*/\1/p' "$1" | while read -r image; do
    if [ "$image" = "$base" ]; then basename "$("$here/rootfs.sh")"; fi
    case $image in
      "$TMAX_IMAGES"/*)
        name=${image#"$TMAX_IMAGES"/}
        cat "$(built_file "${name%:*}")"
        ;;
    esac
  done
}

docker_or_buildah() { # reference, Dockerfile, context
  if has_docker; then
    docker build --tag "$1" --file "$2" "$3"
  else
    buildah_here bud --format docker --isolation chroot --pull-never --layers --timestamp 0 --tag "$1" --file "$2" "$3"
  fi
}

save() { # reference, archive
  rm -f "$2"
  if has_docker; then docker save --output "$2" "$1"; else buildah_here push --quiet "$1" "docker-archive:$2:$1"; fi
}

build_base() {
  local context
  if has_docker; then
    docker pull "$base"
    return
  fi
  context=$(mktemp -d "$TMAX_CACHE/.base.XXXXXX")
  ln "$("$here/rootfs.sh")" "$context/rootfs.tar"
  printf 'FROM scratch\nADD rootfs.tar /\nCMD ["bash"]\n' >"$context/Dockerfile"
  docker_or_buildah "$base" "$context/Dockerfile" "$context"
  rm -r "$context"
}

build_archive() { # name, context, archive
  local part=$3.part dockerfile
  dockerfile=$TMAX_REPOSITORY/$(folder_of "$1")/Dockerfile
  if [ "$1" = debian ]; then
    build_base
    save "$base" "$part"
  elif "$here/oci_image.py" --only-check --dockerfile "$dockerfile" --context "$2"; then
    "$here/oci_image.py" --reference "$(reference "$1")" --output "$part" --dockerfile "$dockerfile" --context "$2"
  else
    docker_or_buildah "$(reference "$1")" "$dockerfile" "$2"
    if is_base "$1"; then echo "a base of other images, in the builder's store" >"$part"; else save "$(reference "$1")" "$part"; fi
  fi
  mv "$part" "$3"
}

is_base() { [ "$1" = debian ] || [ "$(nodes_of "$1")" = - ]; }

# The builder's store is shared by all checkouts of this machine: there, a base has its hash as a second tag, by which
# it gets its name back when another checkout has given that to another version.
name_base() { # name, hash: fails where the store lacks this version
  local store=(buildah_here)
  if has_docker; then store=(docker); fi
  "${store[@]}" tag "localhost/tmax-base/$1:$2" "$(reference "$1")" >/dev/null 2>&1
}

keep_base() { # name, hash
  local store=(buildah_here)
  if has_docker; then store=(docker); fi
  "${store[@]}" tag "$(reference "$1")" "localhost/tmax-base/$1:$2"
}

build_image() { # name
  local name=$1 folder context hash archive
  folder=$(folder_of "$name")
  context=""
  if [ "$name" = debian ]; then
    hash=$(basename "$("$here/rootfs.sh")" .tar)
  else
    context=$TMAX_REPOSITORY/target/images/context-$name
    rm -rf "$context"
    mkdir -p "$context"
    "$TMAX_REPOSITORY/$folder/image-context.sh" "$context"
    hash=$({ hash_folder "$context"; cat "$TMAX_REPOSITORY/$folder/Dockerfile"; base_hashes "$TMAX_REPOSITORY/$folder/Dockerfile"; } |
      sha256sum | cut -c1-16)
  fi
  archive=$archives/$name-$hash.tar
  if [ -s "$archive" ] && { ! is_base "$name" || name_base "$name" "$hash"; }; then
    touch "$archive"
    echo "up to date: $archive"
  else
    build_archive "$name" "$context" "$archive"
    if is_base "$name"; then keep_base "$name" "$hash"; fi
  fi
  echo "$hash" >"$(built_file "$name")"
  [ -z "$context" ] || rm -rf "$context"
}

# Everything that images are made of, and which of them: all of the checkout but documents and what was built from it.
sources_key() {
  (cd "$TMAX_REPOSITORY" && find . \( -name target -o -name .git -o -path ./docs \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum; echo "$@") | sha256sum | cut -c1-16
}

all_there() { # name...
  local name
  for name in "$@"; do archive_of "$name" >/dev/null 2>&1 || return 1; done
}

build() {
  local name key stamp=$TMAX_REPOSITORY/target/images/built-from
  key=$(sources_key "$@")
  if [ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && all_there "$@"; then
    echo "==> The images are built"
    return
  fi
  "$here/packages.sh" images
  use_java # Some contexts are made with it.
  mkdir -p "$archives" "$TMAX_REPOSITORY/target/images"
  exec 9>"$archives/.lock"
  flock 9
  for name in "$@"; do
    [ "$name" = debian ] || [ -e "$TMAX_REPOSITORY/$(folder_of "$name")/Dockerfile" ] || {
      echo "images.sh: image $name: there is no $(folder_of "$name")/Dockerfile" >&2
      return 1
    }
    stage "Image $name" build_image "$name"
  done
  echo "$key" >"$stamp"
  # What no checkout has used for a week.
  find "$archives" -name '*.tar*' -mtime +7 -delete
}

archive_of() { # name
  local archive
  archive=$archives/$1-$(cat "$(built_file "$1")" 2>/dev/null).tar
  if [ ! -s "$archive" ]; then
    echo "images.sh: image $1 is not built: run dev/images.sh build $1" >&2
    return 1
  fi
  echo "$archive"
}

node_ctr() { # node, arguments
  local node=$1
  shift
  "$TMAX_BIN/ctr" --address "$TMAX_STATE/node-$node/containerd.sock" --namespace k8s.io "$@"
}

load_into_node() { # node, name...
  local node=$1 name archive loaded
  shift
  mkdir -p "$TMAX_STATE/node-$node/loaded"
  for name in "$@"; do
    archive=$(archive_of "$name")
    loaded=$TMAX_STATE/node-$node/loaded/$name
    if [ "$(cat "$loaded" 2>/dev/null)" = "$archive" ] &&
      [ -n "$(node_ctr "$node" images list --quiet "name==$(reference "$name")" 2>/dev/null)" ]; then
      continue
    fi
    echo "node $node: $name"
    # A name that comes to mean another image is removed first: containerd's CRI records the id of an image only where
    # its name is new, and image volumes are mounted by id.
    node_ctr "$node" images remove "$(reference "$name")" 2>/dev/null || true
    node_ctr "$node" images import --local "$archive" # Twice as fast as the import by containerd itself.
    echo "$archive" >"$loaded"
  done
}

load_all() { # name...
  local name workers=() sandboxes=() first second status=0
  for name in "$@"; do
    case $(nodes_of "$name") in
      workers) workers+=("$name") ;;
      sandboxes) sandboxes+=("$name") ;;
      both) workers+=("$name") sandboxes+=("$name") ;;
    esac
  done
  if has_docker && command -v kind >/dev/null; then # Not run on our machines: no Docker daemon there.
    for name in "${workers[@]}" "${sandboxes[@]}"; do
      kind load image-archive --name "$TMAX_CLUSTER" "$(archive_of "$name")"
    done
    return
  fi
  load_into_node 0 "${workers[@]}" &
  first=$!
  load_into_node 1 "${sandboxes[@]}" &
  second=$!
  wait "$first" || status=1
  wait "$second" || status=1
  return "$status"
}

selected=()
select_names() {
  local name
  if [ $# = 0 ] || [ "$1" = all ]; then
    mapfile -t selected < <(names)
    return
  fi
  for name in "$@"; do
    names | grep -qx -- "$name" || { echo "images.sh: no image '$name' in images.txt; there are: $(names | tr '\n' ' ')" >&2; exit 2; }
    selected+=("$name")
  done
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
  build)
    select_names "$@"
    build "${selected[@]}"
    ;;
  load)
    select_names "$@"
    stage "Loading images into the nodes of $TMAX_CLUSTER" load_all "${selected[@]}"
    ;;
  archive)
    select_names "$1"
    archive_of "$1"
    ;;
  *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
