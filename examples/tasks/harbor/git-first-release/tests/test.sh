#!/bin/bash -p
# Commits, their files, tag and state of the tree.
cd /work || exit
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/work
reward=1
[ "$(git log --format=%s --reverse main 2>/dev/null)" = $'Add program\nAdd documentation' ] || reward=0
[ "$(git ls-tree -r --name-only main~1 2>/dev/null)" = hello.py ] || reward=0
[ "$(git ls-tree -r --name-only main 2>/dev/null)" = $'.gitignore\nREADME.md\nhello.py' ] || reward=0
[ "$(git cat-file -t v1.0 2>/dev/null)" = tag ] && [ "$(git rev-parse 'v1.0^{commit}')" = "$(git rev-parse main)" ] || reward=0
git check-ignore -q other.log 2>/dev/null && [ -f debug.log ] && [ -z "$(git status --porcelain)" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
