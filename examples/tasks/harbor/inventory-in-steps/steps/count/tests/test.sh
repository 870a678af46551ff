#!/bin/bash -p
# The parts of two files.
[ "$(cat /work/inventory.txt 2>/dev/null)" = $'bolt\t2\nnut\t3\nscrew\t1' ] && reward=1 || reward=0
echo "$reward" >/logs/verifier/reward.txt
