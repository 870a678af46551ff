#!/bin/bash -p
# The directory is there, and the messages are still what they were.
shopt -s nullglob dotglob
reward=0
entries=(/work/inbox/*)
entries=("${entries[@]#/work/inbox/}")
[[ ${entries[*]} == "a17.msg c52.msg e09.msg h71.msg k33.msg quartz-58d" ]] &&
    [[ -d /work/inbox/quartz-58d && ! -L /work/inbox/quartz-58d && -s /work/inbox/h71.msg ]] && reward=1
echo "$reward" > /logs/verifier/reward.txt
