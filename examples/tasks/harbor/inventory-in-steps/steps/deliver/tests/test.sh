#!/bin/bash -p
# The parts of three files, and the delivery is on the shelf.
reward=0
[ "$(cat /work/inventory.txt 2>/dev/null)" = $'bolt\t3\nnut\t3\nscrew\t1\nwasher\t1' ] &&
    [ -f /work/shelf/c.txt ] && [ -z "$(ls -A /work/delivery 2>/dev/null)" ] && reward=1
echo "$reward" >/logs/verifier/reward.txt
