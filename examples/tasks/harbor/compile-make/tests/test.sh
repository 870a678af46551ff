#!/bin/bash -p
# Built anew with the flags of old, and asked.
cd /work || exit
reward=1
grep -q -- '-Wall -Wextra -Werror' Makefile || reward=0
make clean >/dev/null 2>&1
rm -f stats src/*.o
make stats || reward=0
[ "$(printf '1 2 2' | ./stats)" = '3 1.67' ] && [ "$(printf '0.5 -1.5' | ./stats)" = '2 -0.50' ] || reward=0
[ "$(./stats </dev/null)" = '0 0.00' ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
