import hashlib
from pathlib import Path

RESTORED = Path("/app/restored")


def line(text):
    return hashlib.sha256(text.encode()).hexdigest() + "  -\n"


def test_first():
    assert (RESTORED / "first.txt").read_text() == line("".join(f"{i}\n" for i in range(1, 4001)))


def test_second():
    assert (RESTORED / "second.txt").read_text() == "".join(line(f"{i}\n") for i in range(1, 301))
