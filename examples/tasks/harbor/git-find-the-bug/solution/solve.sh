#!/bin/bash
set -eu
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
git config --global --add safe.directory /work
git bisect start main "$(git rev-list --max-parents=0 main)" >/dev/null
git bisect run sh -c '[ "$(python3 sum.py 1 7)" = 8 ]' >/dev/null
git rev-parse refs/bisect/bad >/tmp/culprit
git bisect reset >/dev/null 2>&1
mv /tmp/culprit culprit.txt
sed -i 's/ - (n == 7)//' sum.py
git commit -q -m 'Mend the sum' sum.py
