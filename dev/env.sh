# Sourced. The one place for the paths and names of the development tools. Everything can be set from outside:
#   TMAX_CACHE    what is kept between checkouts: binaries, root file systems, images (default ~/.cache/tmax)
#   TMAX_CLUSTER  name of the local cluster (default tmax)
#   TMAX_STATE    everything the cluster writes (default /var/lib/tmax/NAME)
#   KUBECONFIG    set to the cluster's: $TMAX_STATE/kubeconfig
# Sets besides: TMAX_REPOSITORY (the checkout), TMAX_BIN (the built programs, also put on PATH); use_java finds a JDK.
# shellcheck shell=bash

TMAX_REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TMAX_CACHE=${TMAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tmax}
export TMAX_CLUSTER=${TMAX_CLUSTER:-tmax}
export TMAX_STATE=${TMAX_STATE:-/var/lib/tmax/$TMAX_CLUSTER}
export KUBECONFIG=$TMAX_STATE/kubeconfig

# Names of images: $TMAX_IMAGES/NAME:$TMAX_IMAGE_TAG.
export TMAX_IMAGES=docker.io/tmax
export TMAX_IMAGE_TAG=0.1.0

# binaries_key FOLDER: names the programs that the folder's sources and pinned versions give.
binaries_key() {
  local folder=$TMAX_REPOSITORY/dev/binaries/$1
  printf '%s-%s' "$1" "$(cd "$folder" && find . -type f | LC_ALL=C sort | xargs sha256sum |
    cat - ../build.sh | sha256sum | cut -c1-12)"
}

# Programs of all folders, linked into one folder that belongs to exactly these versions.
TMAX_BIN=$TMAX_CACHE/bin/set-$(for folder in kubernetes containerd runc; do binaries_key "$folder"; done |
  sha256sum | cut -c1-12)
export TMAX_BIN
case ":$PATH:" in *":$TMAX_BIN:"*) ;; *) export PATH=$TMAX_BIN:$PATH ;; esac

# use_java: sets JAVA_HOME to a JDK 25, or fails and says how to get one.
use_java() {
  local candidate
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/*; do
    if [ -x "$candidate/bin/javac" ] && grep -q '^JAVA_VERSION="25' "$candidate/release" 2>/dev/null; then
      export JAVA_HOME=$candidate
      case ":$PATH:" in *":$JAVA_HOME/bin:"*) ;; *) export PATH=$JAVA_HOME/bin:$PATH ;; esac
      return 0
    fi
  done
  echo "No JDK 25 found (JAVA_HOME is '${JAVA_HOME:-}'). Install Temurin 25, for example Debian's temurin-25-jdk" \
    "from packages.adoptium.net, and set JAVA_HOME to it." >&2
  return 1
}
