# Sourced after node.sh. Removes every trace of the cluster, whether it runs, was ended or was killed halfway.
# shellcheck shell=bash

has_remains() {
  [ -e "$TMAX_STATE" ] || ip link show dev "$BRIDGE" >/dev/null 2>&1 || [ -d "$(member_cgroup)" ] ||
    ip netns list | grep -qE "^$TMAX_CLUSTER-[0-9]+( |$)"
}

# Ends all processes of the cluster's control groups. Their data goes too, so nothing is to be written properly, and
# killing at once leaves no program the time to start others.
end_processes() {
  local pids deadline=$((SECONDS + 30))
  while :; do
    mapfile -t pids < <(members)
    [ ${#pids[@]} != 0 ] || return 0
    [ "$SECONDS" -lt "$deadline" ] || { echo "These processes do not end: ${pids[*]}" >&2; return 1; }
    kill -9 "${pids[@]}" 2>/dev/null || true
    sleep 0.1
  done
}

unmount_all() { # mounts below the state folder that are visible on the host
  local target
  awk -v folder="$TMAX_STATE/" 'index($2, folder) == 1 {print $2}' /proc/mounts | LC_ALL=C sort -r |
    while read -r target; do umount -l "$(printf '%b' "$target")"; done
}

remove_cgroups() {
  local root deadline=$((SECONDS + 10))
  for root in $(cgroup_roots); do
    while [ -d "$root/$CGROUP" ]; do
      find "$root/$CGROUP" -depth -type d -exec rmdir {} + 2>/dev/null || true
      [ "$SECONDS" -lt "$deadline" ] || { echo "Control group $root/$CGROUP cannot be removed" >&2; return 1; }
    done
  done
}

remove_remains() {
  local hidden
  end_processes
  delete_network
  unmount_all
  remove_cgroups
  rm -rf --one-file-system "$TMAX_STATE"
  rmdir --ignore-fail-on-non-empty -p "$(dirname "$TMAX_STATE")" 2>/dev/null || true
  # Mount points, empty on the host; those that other programs use are not empty or busy.
  for hidden in "${HIDDEN_FOLDERS[@]}"; do rmdir "$hidden" 2>/dev/null || true; done
}
