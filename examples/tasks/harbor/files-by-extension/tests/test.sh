#!/bin/bash -p
# Every file is where it belongs, with its content, and nothing else is there.
cd /work || exit
reward=1
[ "$(cd sorted 2>/dev/null && find . -type f | LC_ALL=C sort)" = "$(printf '%s\n' ./jpg/photo.jpg ./md/notes.md \
    ./other/README ./txt/a.txt ./txt/b.txt './txt/two words.txt')" ] || reward=0
while IFS= read -r -d '' file; do
    [ "$(cat "$file")" = "content of ${file##*/}" ] || reward=0
done < <(find sorted -type f -print0 2>/dev/null)
[ -d inbox ] && [ -z "$(ls -A inbox)" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
