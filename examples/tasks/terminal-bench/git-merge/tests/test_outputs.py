import subprocess


def git(*arguments):
    command = ["git", "-C", "/app", "-c", "safe.directory=/app", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_merge_commit():
    assert len(git("rev-list", "--parents", "-n", "1", "main").split()) == 3
    assert git("merge-base", "main", "feature") == git("rev-parse", "feature")


def test_colours():
    assert git("show", "main:colours.txt").split() == ["amber", "blue", "cyan", "green", "red"]


def test_clean():
    assert git("status", "--porcelain") == ""
    assert git("rev-parse", "--abbrev-ref", "HEAD") == "main"
    assert git("log", "-1", "--format=%P", "main") != ""
    assert len(git("rev-list", "main").split()) == 4
