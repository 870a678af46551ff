import stat
from pathlib import Path

KEYS = Path("/app/keys")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_private_key():
    assert mode(KEYS / "id_demo") == 0o600
    assert (KEYS / "id_demo").read_text() == "private\n"


def test_folder():
    assert mode(KEYS) == 0o700


def test_public_key():
    assert mode(KEYS / "id_demo.pub") == 0o644
    assert mode(KEYS / "id_demo") == 0o600
