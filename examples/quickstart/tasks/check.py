"""Runs the quickstart's tasks and shows that their tests cannot be gamed.

Of every task: the reference solution is rewarded, doing nothing is not. Of some tasks of each family: other right
answers are rewarded; wrong ones, and right ones that harm something beside, are not. Each runs as root in a root
directory of its own that holds bash and a few programs.

    check.py [--all] [DIR...]

    --all  other answers to every task, not only to some
    DIR    more tasks of the same kind, in the Harbor format: solution and doing nothing
"""

import argparse
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import generate

PROGRAMS = """awk bash cat chmod cp cut dd dir env false find grep head id install ln ls md5sum mkdir mkfifo mv nl od
printf pwd rm rmdir sed seq sh sort stat tac tail tee touch tr true truncate uniq unlink wc whoami""".split()
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
FOLDERS = "dev etc home logs/agent logs/verifier opt root solution tests tmp var/tmp work".split()
# Right answers that do something else besides.
HARMS = [
    "touch surplus.txt",
    "touch .hidden",
    "mkdir surplus",
    "ln -s /etc/passwd surplus",
    "echo more >> {k}",
    "rm {k}",
    "rm {k}; mkdir {k}",
    "mv {k} moved.md",
    "chmod +x {k}",
    "printf 'a\\0b' > {k}",
    "touch $'two\\nlines'",
]
# Wrong answers to anything.
WRONG = ["rm -rf * .[!.]*", "rm -rf /work", "echo 1 > /logs/verifier/reward.txt", "exit 0", "false", "cat {k}"]


class Cell:
    """A root directory in which one attempt after another is made, each on clean ground."""

    def __init__(self, root: Path):
        self.root = root
        for program in PROGRAMS:
            self.carry(Path(shutil.which(program)))
        (root / "bin").symlink_to("usr/bin")

    def carry(self, program: Path) -> None:
        copied = self.root / "usr/bin" / program.name
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(program, copied)
        linked = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", linked):
            target = self.root / library.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copy(library, target)

    def reset(self, task: Path) -> None:
        for left in self.root.iterdir():
            if left.name not in ("usr", "bin", "lib", "lib64"):
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        for folder in FOLDERS:
            (self.root / folder).mkdir(parents=True)
        (self.root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
        (self.root / "etc/group").write_text("root:x:0:\n")
        os.mknod(self.root / "dev/null", 0o666 | 0o020000, os.makedev(1, 3))
        shutil.copytree(task / "environment", self.root / "work", dirs_exist_ok=True)
        shutil.copytree(task / "solution", self.root / "solution", dirs_exist_ok=True)

    def run(self, command: str, limit: float = 20) -> bytes:
        return subprocess.run(
            [CHROOT, self.root, "/bin/bash", "-c", 'cd /work; eval "$1"', "bash", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": "/usr/bin:/bin", "HOME": "/root"},
            timeout=limit,
        ).stdout

    def reward(self, task: Path, command: str) -> str:
        """The reward for a command, as the harness gives it: tests and log folders are laid after the attempt."""
        self.reset(task)
        output = self.run(command)
        for folder, source in (("tests", task / "tests"), ("logs", None)):
            shutil.rmtree(self.root / folder, ignore_errors=True)
            if source:
                shutil.copytree(source, self.root / folder)
        (self.root / "logs/agent").mkdir(parents=True)
        (self.root / "logs/verifier").mkdir()
        (self.root / "logs/agent/output.txt").write_bytes(output)
        self.said = self.run("exec /tests/test.sh")
        written = self.root / "logs/verifier/reward.txt"
        return written.read_text().strip() if written.is_file() else "none"


def attempts(task: generate.Generated | None, thorough: bool) -> list[tuple[str, str]]:
    """Commands with the reward that each must get."""
    listed = [("/solution/solve.sh", "1"), ("", "0")]
    if task and thorough:
        solution = task.fill(task.family["solution"])
        listed += [(task.fill(command), "1") for command in task.family["alternatives"]]
        listed += [(task.fill(command), "0") for command in (*task.family["cheats"], *WRONG)]
        listed += [(f"{solution}\n{task.fill(harm)}", "0") for harm in HARMS]
    return listed


def check(job: tuple[Path, generate.Generated | None, bool]) -> tuple[int, list[str]]:
    folder, task, thorough = job
    passed, failures = 0, []
    for command, expected in attempts(task, thorough):
        reward = cell.reward(folder, command)
        if reward == expected:
            passed += 1
        else:
            said = cell.said.decode(errors="replace").strip()
            failures.append(f"{folder.name}: reward {reward}, not {expected}, for: {command or '(nothing)'}\n{said}")
    return passed, failures


def start(folder: Path) -> None:
    global cell
    cell = Cell(Path(tempfile.mkdtemp(dir=folder)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the quickstart's tasks.")
    parser.add_argument("--all", action="store_true", help="other answers to every task, not only to some")
    parser.add_argument("more", metavar="DIR", type=Path, nargs="*", help="folders of more tasks")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("check.py: needs root, to give every attempt a root directory of its own; run it with sudo")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="quickstart-check-") as temporary:
        jobs = [(toml.parent, None, False) for more in arguments.more for toml in sorted(more.glob("*/task.toml"))]
        for split, tasks in generate.generate(1, {"train": 30, "held-out": 5}).items():
            for task in tasks:
                folder = Path(temporary) / split / task.name
                generate.write(task, folder)
                jobs.append((folder, task, arguments.all or task.name.endswith("-001") or task.name.endswith("-002")))
        with multiprocessing.Pool(2, start, (temporary,)) as pool:
            passed, failures = 0, []
            for good, bad in pool.imap_unordered(check, jobs, chunksize=4):
                passed, failures = passed + good, failures + bad
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(jobs)} tasks, {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
