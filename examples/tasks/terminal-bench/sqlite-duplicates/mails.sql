CREATE TABLE mails (id INTEGER PRIMARY KEY, address TEXT NOT NULL);
INSERT INTO mails VALUES (1, 'Ada@example.com'), (2, ' ada@example.com'), (3, 'bob@example.com'), (4, 'BOB@EXAMPLE.COM '), (5, 'eve@example.com');
