sqlite3 /app/mails.db "DELETE FROM mails WHERE id NOT IN (SELECT min(id) FROM mails GROUP BY lower(trim(address)));
UPDATE mails SET address = lower(trim(address));"
