#!/bin/bash -p
# The two counts, whatever the blanks around them.
got=$(sed 's/[[:space:]]\+/ /g; s/^ //; s/ $//' /work/report.txt 2>/dev/null)
[ "$got" = $'10 2\n11 2' ] && reward=1 || reward=0
echo "$reward" >/logs/verifier/reward.txt
