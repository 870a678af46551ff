#!/bin/bash
set -eu
sqlite3 shop.db <shop.sql
sqlite3 -csv shop.db 'SELECT country, coalesce(sum(cents * paid), 0) FROM customers LEFT JOIN invoices
    ON customer = customers.id GROUP BY country ORDER BY country' >paid.csv
