#!/bin/bash -p
# Group and mode of every file and folder, and the contents.
cd /work || exit
reward=1
[ -z "$(find project ! -group staff)" ] || reward=0
[ -z "$(find project -type d ! -perm 2770)" ] || reward=0
[ -z "$(find project -type f ! -perm 660)" ] || reward=0
[ "$(cat project/plan.txt project/docs/text.md)" = $'plan\ntext' ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
