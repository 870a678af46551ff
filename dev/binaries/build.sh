#!/usr/bin/env bash
# build.sh [PROGRAM...]: builds the named programs of the local cluster (all by default) from Go modules at pinned
# versions and links them into $TMAX_BIN. What was built before from the same sources is not built again.
#
# The Kubernetes programs, etcd, Helm and our own small ones share one module, so that one version of each library is
# compiled once for all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=../env.sh
source ../env.sh
# shellcheck source=../stages.sh
source ../stages.sh

kubernetes=1.35.4
helm=4.1.1
containerd=2.4.2

declare -A module_of=( # program -> folder, package
  [etcd]="kubernetes go.etcd.io/etcd/server/v3"
  [kube-apiserver]="kubernetes k8s.io/kubernetes/cmd/kube-apiserver"
  [kubectl]="kubernetes k8s.io/kubernetes/cmd/kubectl"
  [kube-controller-manager]="kubernetes k8s.io/kubernetes/cmd/kube-controller-manager"
  [kube-scheduler]="kubernetes k8s.io/kubernetes/cmd/kube-scheduler"
  [kube-proxy]="kubernetes k8s.io/kubernetes/cmd/kube-proxy"
  [kubelet]="kubernetes k8s.io/kubernetes/cmd/kubelet"
  [cluster-dns]="kubernetes ./cluster-dns"
  [network-policy]="kubernetes ./network-policy"
  [volume-provisioner]="kubernetes ./volume-provisioner"
  [helm]="kubernetes helm.sh/helm/v4/cmd/helm"
  [pause]="kubernetes C"
  [containerd]="containerd github.com/containerd/containerd/v2/cmd/containerd"
  [containerd-shim-runc-v2]="containerd github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
  [ctr]="containerd github.com/containerd/containerd/v2/cmd/ctr"
  [runc]="runc github.com/opencontainers/runc"
)

build() { # folder, output folder, program...
  local folder=$1 output=$2 program staging flags="-s -w" tags="" cgo=0
  shift 2
  case $folder in
    kubernetes)
      flags+=" -X k8s.io/component-base/version.gitVersion=v$kubernetes -X k8s.io/client-go/pkg/version.gitVersion=v$kubernetes"
      flags+=" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=$(cut -d. -f2 <<<"$kubernetes")"
      flags+=" -X helm.sh/helm/v4/internal/version.version=v$helm"
      ;;
    containerd)
      flags+=" -X github.com/containerd/containerd/v2/version.Version=v$containerd"
      tags=no_btrfs,no_zfs,no_devmapper
      ;;
    runc) tags=seccomp cgo=1 ;;
  esac
  staging=$(mktemp -d "$output/.building.XXXXXX")
  # shellcheck disable=SC2064 # The folder's name is known now.
  trap "rm -rf '$staging'" EXIT
  local packages=()
  for program in "$@"; do
    case $program in
      pause) # Kubernetes' own, in C: a process per pod should not cost a Go runtime.
        gcc -Os -static -s -DVERSION="v$kubernetes" -o "$staging/pause" \
          "$(cd kubernetes && go list -m -f '{{.Dir}}' k8s.io/kubernetes)/build/pause/linux/pause.c"
        ;;
      *) packages+=("${module_of[$program]#* }") ;;
    esac
  done
  # One go build for all, so that one program is linked while another is compiled.
  [ ${#packages[@]} = 0 ] || (cd "$folder" &&
    CGO_ENABLED=$cgo go build -buildvcs=false -trimpath -tags "$tags" -ldflags "$flags" -o "$staging/" "${packages[@]}")
  [ ! -e "$staging/server" ] || mv "$staging/server" "$staging/etcd"
  mv "$staging"/* "$output/"
}

programs=("$@")
[ $# != 0 ] || mapfile -t programs < <(printf '%s\n' "${!module_of[@]}" | LC_ALL=C sort)
declare -A wanted=()
for program in "${programs[@]}"; do
  [ -n "${module_of[$program]:-}" ] || { echo "build.sh: no program '$program'; there are: ${!module_of[*]}" >&2; exit 2; }
  folder=${module_of[$program]%% *}
  output=$TMAX_CACHE/bin/$(binaries_key "$folder")
  [ -x "$output/$program" ] || wanted[$folder]+="$program "
done

mkdir -p "$TMAX_BIN"
exec 9>"$TMAX_CACHE/bin/.lock"
flock 9
if [ ${#wanted[@]} != 0 ]; then
  command -v go >/dev/null || { echo "build.sh: needs Go 1.26 or later (https://go.dev/dl)" >&2; exit 1; }
  ../packages.sh binaries
fi
# Kubernetes first: the programs that an API server alone needs are there soonest.
for folder in kubernetes containerd runc; do
  [ -n "${wanted[$folder]:-}" ] || continue
  output=$TMAX_CACHE/bin/$(binaries_key "$folder")
  mkdir -p "$output"
  read -ra names <<<"${wanted[$folder]}"
  stage "Building ${names[*]} (Go, first time only)" build "$folder" "$output" "${names[@]}"
done
for program in "${programs[@]}"; do
  ln -sfn "../$(binaries_key "${module_of[$program]%% *}")/$program" "$TMAX_BIN/$program"
done
