#!/bin/bash -p
# The report, and the database that it came from.
cd /work || exit
reward=1
[ "$(tr -d '\r' <paid.csv 2>/dev/null)" = $'AT,0\nUK,1300\nUS,1200' ] || reward=0
[ "$(sqlite3 -readonly shop.db 'SELECT (SELECT count(*) FROM customers), (SELECT sum(cents) FROM invoices)' 2>/dev/null)" = '4|7300' ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
