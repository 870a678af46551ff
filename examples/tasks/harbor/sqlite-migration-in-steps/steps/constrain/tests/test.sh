#!/bin/bash -p
# Good rows are taken and bad ones refused, in a copy.
reward=1
cp /work/people.db /tmp/copy.db 2>/dev/null
[ "$(sqlite3 /tmp/copy.db 'SELECT count(*), min(last) FROM people' 2>/dev/null)" = '3|Hopper' ] || reward=0
sqlite3 /tmp/copy.db "INSERT INTO people (first, last) VALUES ('Ada', 'Yonath')" 2>/dev/null || reward=0
sqlite3 /tmp/copy.db "INSERT INTO people (first, last) VALUES ('Ada', 'Lovelace')" 2>/dev/null && reward=0
sqlite3 /tmp/copy.db "INSERT INTO people (first, last) VALUES (NULL, 'Curie')" 2>/dev/null && reward=0
sqlite3 /tmp/copy.db "INSERT INTO people (first, last) VALUES ('Marie', NULL)" 2>/dev/null && reward=0
echo "$reward" >/logs/verifier/reward.txt
