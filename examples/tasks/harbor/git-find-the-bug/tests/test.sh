#!/bin/bash -p
# The culprit is the eighth commit, and the sum is right again.
cd /work || exit
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/work
reward=1
[ "$(git log --format=%s main | wc -l)" = 13 ] && [ "$(git log -1 --format=%s main)" = 'Mend the sum' ] || reward=0
[ "$(git log -1 --format=%s "$(cat culprit.txt 2>/dev/null)" 2>/dev/null)" = 'Revise the sum, part 8' ] || reward=0
[ "$(tr -d '[:space:]' <culprit.txt 2>/dev/null | wc -c)" = 40 ] || reward=0
git show main:sum.py >/tmp/sum.py 2>/dev/null
for numbers in '1 7' '7 7 7' '3 4' ''; do
    [ "$(python3 /tmp/sum.py $numbers)" = "$(($(echo "${numbers:-0}" | tr ' ' +)))" ] || reward=0
done
echo "$reward" >/logs/verifier/reward.txt
