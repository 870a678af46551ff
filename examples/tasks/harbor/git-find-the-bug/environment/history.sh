# A repository of twelve commits; the eighth one breaks the sum.
set -eu
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.com GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.com
mkdir -p /work && cd /work
git init -q -b main
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    op='sum + n'; [ "$i" -lt 8 ] || op='sum + n - (n == 7)'
    cat >sum.py <<P
# revision $i
import sys
sum = 0
for n in map(int, sys.argv[1:]):
    sum = $op
print(sum)
P
    git add sum.py
    export GIT_AUTHOR_DATE="2026-01-$((i + 10))T12:00:00Z" GIT_COMMITTER_DATE="2026-01-$((i + 10))T12:00:00Z"
    git commit -q -m "Revise the sum, part $i"
done
