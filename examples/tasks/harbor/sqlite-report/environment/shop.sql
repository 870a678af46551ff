CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers, cents INTEGER NOT NULL, paid INTEGER NOT NULL);
INSERT INTO customers VALUES (1, 'Ada', 'UK'), (2, 'Grace', 'US'), (3, 'Hedy', 'AT'), (4, 'Radia', 'US');
INSERT INTO invoices VALUES (1, 1, 1250, 1), (2, 2, 900, 1), (3, 2, 4100, 0), (4, 4, 300, 1), (5, 3, 700, 0), (6, 1, 50, 1);
