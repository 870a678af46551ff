#!/usr/bin/env bash
# packages.sh [GROUP...]: installs the Debian packages that are missing. Groups: binaries, cluster, images, metrics,
# lint; all (the default) is everything but lint. Asks the archive only if something is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=env.sh
source "$here/env.sh"
# shellcheck source=stages.sh
source "$here/stages.sh"

declare -A packages=(
  [binaries]="gcc libc6-dev libseccomp-dev pkg-config ca-certificates"
  [cluster]="containernetworking-plugins iptables nftables ipset conntrack iproute2 kmod openssl jq util-linux curl procps python3"
  [images]="mmdebstrap buildah crun tini patchelf busybox-static util-linux python3 python3-pip jq"
  [metrics]="prometheus"
  [lint]="shellcheck"
)

missing_of() { # prints those of the named packages that are not installed
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

# The daemons of some packages would start with their installation; the project starts its own.
without_daemons() {
  local policy=/usr/sbin/policy-rc.d made=no status=0
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    made=yes
  fi
  "$@" || status=$?
  [ "$made" = no ] || rm -f "$policy"
  return "$status"
}

install() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update
  without_daemons apt-get -y -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends "$@"
}

groups=()
[ $# != 0 ] || set -- all
for group in "$@"; do
  if [ "$group" = all ]; then groups+=(binaries cluster images metrics); else groups+=("$group"); fi
done
wanted=()
for group in "${groups[@]}"; do
  [ -n "${packages[$group]:-}" ] || { echo "packages.sh: no group '$group'; there are: ${!packages[*]}" >&2; exit 2; }
  read -ra names <<<"${packages[$group]}"
  wanted+=("${names[@]}")
done
mapfile -t missing < <(missing_of "${wanted[@]}")
[ ${#missing[@]} = 0 ] && exit 0
command -v apt-get >/dev/null || { echo "packages.sh: install these by hand, there is no apt-get here: ${missing[*]}" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "packages.sh: be root to install: ${missing[*]}" >&2; exit 1; }
stage "Installing ${#missing[@]} Debian packages (${missing[*]})" install "${missing[@]}"
