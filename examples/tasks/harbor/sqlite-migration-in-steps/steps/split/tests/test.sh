#!/bin/bash -p
# Every person has two names, and the table no other columns.
reward=1
[ "$(sqlite3 -readonly /work/people.db 'SELECT id, first, last FROM people ORDER BY id' 2>/dev/null)" = \
    $'1|Ada|Lovelace\n2|Grace|Hopper\n3|Radia|Perlman' ] || reward=0
[ "$(sqlite3 -readonly /work/people.db "SELECT count(*) FROM pragma_table_info('people')" 2>/dev/null)" = 3 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
