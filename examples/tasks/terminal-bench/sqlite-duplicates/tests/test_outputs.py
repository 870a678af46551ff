import sqlite3


def test_rows():
    rows = sqlite3.connect("file:/app/mails.db?mode=ro", uri=True).execute("SELECT id, address FROM mails ORDER BY id")
    assert rows.fetchall() == [(1, "ada@example.com"), (3, "bob@example.com"), (5, "eve@example.com")]
