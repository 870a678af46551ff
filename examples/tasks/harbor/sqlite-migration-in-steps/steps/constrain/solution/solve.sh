#!/bin/bash
set -eu
sqlite3 people.db "CREATE TABLE strict (id INTEGER PRIMARY KEY, first TEXT NOT NULL, last TEXT NOT NULL, UNIQUE (first, last));
    INSERT INTO strict SELECT * FROM people; DROP TABLE people; ALTER TABLE strict RENAME TO people"
