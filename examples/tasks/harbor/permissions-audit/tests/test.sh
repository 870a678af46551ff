#!/bin/bash -p
# The findings, and what is left of the modes.
reward=1
[ "$(cat /work/findings.txt 2>/dev/null)" = $'/srv/app/bin/helper\n/srv/app/data/old files/a b.txt\n/srv/app/data/open.txt' ] || reward=0
[ "$(cd /srv/app && stat -c '%a %n' bin/run bin/helper data/open.txt data/closed.txt 'data/old files/a b.txt')" = \
    $'755 bin/run\n755 bin/helper\n664 data/open.txt\n640 data/closed.txt\n600 data/old files/a b.txt' ] || reward=0
[ "$(stat -L -c %a /srv/app/data/link)" = 644 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
