#!/bin/bash -p
# The sums, to the cent and in order.
[ "$(tr -d '\r' </work/totals.csv 2>/dev/null)" = $'name,total\nGrace,20.00\nAda,10.00\nBarbara,7.00' ] && reward=1 || reward=0
echo "$reward" >/logs/verifier/reward.txt
