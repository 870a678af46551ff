#!/bin/bash -p
# The archive holds exactly these files, the sum is right, and the site is what it was.
cd /work || exit
reward=1
out=$(mktemp -d)
tar -xzf backup.tar.gz -C "$out" 2>/dev/null || reward=0
[ "$(cd "$out" && find . -type f | LC_ALL=C sort)" = $'./conf.d/a.conf\n./main.conf' ] || reward=0
[ "$(cat "$out/main.conf" "$out/conf.d/a.conf" 2>/dev/null)" = $'port=80\na=1' ] || reward=0
[ "$(wc -l <backup.sha256)" = 1 ] && sha256sum --check --status backup.sha256 || reward=0
grep -q ' [ *]\?backup.tar.gz$' backup.sha256 2>/dev/null || reward=0
[ "$(find site -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c1-8)" = 97aa0c71 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
