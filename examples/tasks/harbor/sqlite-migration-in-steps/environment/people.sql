CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO people VALUES (1, 'Lovelace, Ada'), (2, 'Hopper, Grace'), (3, 'Perlman, Radia');
