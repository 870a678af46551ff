# Sourced after names.sh. The cluster's processes: each is started in a control group of the cluster, and so are the
# containers, so that every process of this cluster, and no other, can be found whatever happened to its parents.
# shellcheck shell=bash

# The folders of the cluster's control groups: one per hierarchy (version 1 and hybrid) or one (version 2).
cgroup_roots() {
  local root
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    echo /sys/fs/cgroup
  else
    for root in /sys/fs/cgroup/*/; do
      if [ -e "$root/cgroup.procs" ] && [ ! -L "${root%/}" ]; then echo "${root%/}"; fi
    done
  fi
}

make_cgroups() {
  local root group node
  for root in $(cgroup_roots); do
    for group in "$CGROUP" "$CGROUP/system" $(for node in "${NODES[@]}"; do echo "$CGROUP/node-$node"; done); do
      mkdir -p "$root/$group"
      if [ -e "$root/cpuset.cpus" ]; then # Version 1: an empty set lets no process in.
        cat "$root/cpuset.cpus" >"$root/$group/cpuset.cpus"
        cat "$root/cpuset.mems" >"$root/$group/cpuset.mems"
      fi
    done
    if [ -e "$root/cgroup.controllers" ] && [ "$root" = /sys/fs/cgroup ]; then # Version 2, not run on our machines.
      for group in . "$CGROUP" $(for node in "${NODES[@]}"; do echo "$CGROUP/node-$node"; done); do
        for controller in cpuset cpu io memory hugetlb pids; do
          echo "+$controller" >"$root/$group/cgroup.subtree_control" 2>/dev/null || true
        done
      done
    fi
  done
}

# One hierarchy that holds every process: where members are looked up.
member_cgroup() {
  if [ -d /sys/fs/cgroup/pids ]; then echo "/sys/fs/cgroup/pids/$CGROUP"; else echo "/sys/fs/cgroup/$CGROUP"; fi
}

members() { # prints the ids of all processes of the cluster, containers included
  local root
  root=$(member_cgroup)
  [ ! -d "$root" ] || find "$root" -name cgroup.procs -exec cat {} + 2>/dev/null || true
}

# start NAME COMMAND...: runs a program of the cluster in the background; its output goes to log/NAME.log and its
# process id to run/NAME.pid.
start() {
  local name=$1
  shift
  (
    exec </dev/null >>"$TMAX_STATE/log/$name.log" 2>&1 9>&-
    echo "$BASHPID" >"$(member_cgroup)/system/cgroup.procs"
    exec setsid "$@"
  ) &
  echo $! >"$TMAX_STATE/run/$name.pid"
}

running() { # whether the program NAME of this cluster lives; a process id alone may have been given to another
  local pid
  pid=$(cat "$TMAX_STATE/run/$1.pid" 2>/dev/null) || return 1
  grep -qs "/$CGROUP/system$" "/proc/$pid/cgroup"
}

# On the network of a node, in the host's file systems.
in_network() {
  local node=$1
  shift
  nsenter "--net=/run/netns/$(node_name "$node")" -- "$@"
}
