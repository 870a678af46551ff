#!/bin/bash
set -eu
sqlite3 people.db <people.sql
sqlite3 people.db "CREATE TABLE split (id INTEGER PRIMARY KEY, first TEXT, last TEXT);
    INSERT INTO split SELECT id, substr(name, instr(name, ', ') + 2), substr(name, 1, instr(name, ', ') - 1) FROM people;
    DROP TABLE people; ALTER TABLE split RENAME TO people"
