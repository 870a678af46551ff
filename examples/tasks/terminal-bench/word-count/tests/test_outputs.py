from pathlib import Path


def test_counts():
    expected = ["the 4", "sea 3", "blue 1", "fresh 1", "open 1"]
    assert Path("/app/counts.txt").read_text().split("\n")[:5] == expected
    assert Path("/app/counts.txt").read_text().split() == " ".join(expected).split()
