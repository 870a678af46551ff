#!/usr/bin/env python3
"""Writes the quickstart's tasks in the Harbor format: OUT/train and OUT/held-out.

The same families.json and seed give the same files, byte by byte. No value of a held-out task's parameters occurs in
a training task. Needs Python 3.11 and nothing else.

    generate.py OUT [--seed N] [--train TASKS_PER_FAMILY] [--held-out TASKS_PER_FAMILY]
"""

import argparse
import itertools
import json
import random
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

IMAGE = "docker.io/tmax/quickstart-sandbox:0.1.0"
HERE = Path(__file__).resolve().parent
# Numbers to be counted: which ones a held-out task may ask for, and which a training task.
COUNTS = {
    "train": [n for n in range(11, 60) if n % 4 != 0],
    "held-out": [n for n in range(11, 60) if n % 4 == 0],
}


@dataclass(frozen=True)
class Generated:
    """One task, before it is written: paths are relative to the working directory."""

    name: str
    family: dict
    values: dict[str, str]
    instruction: str
    seeds: dict[str, str | None]  # content by path; None for a directory

    def fill(self, template: str) -> str:
        return fill(template, self.values)


def fill(template: str, values: dict[str, str]) -> str:
    """Puts parameters in place of {x}; other braces stay."""
    return re.sub(r"\{([a-z])\}", lambda found: values.get(found[1], found[0]), template)


# --- contents of seed files -------------------------------------------------------------------------------------


def prose(words: list[str], wanted: int, count, rng: random.Random) -> str:
    """Lines of words for which `count(text)` is `wanted` and every other count of the text is another number, so that
    counting the wrong thing never gives the right number."""
    while True:
        text = ""
        while count(text) < wanted:
            text += " ".join(rng.choices(words, k=rng.randint(2, 4))) + "\n"
        lines = text.splitlines()
        counts = [len(lines), len(text.split()), len(text), max(map(len, lines)), len(set(text.split()))]
        if count(text) == wanted and len(set(counts)) == len(counts):
            return text


def shuffled_words(words: list[str], size: int, rng: random.Random) -> str:
    while True:
        lines = rng.sample(words, size)
        if lines != sorted(lines) and lines != sorted(lines, reverse=True):
            return "".join(line + "\n" for line in lines)


def shuffled_numbers(size: int, rng: random.Random) -> str:
    """Of one to four digits, such that sorting them as texts gives another order."""
    while True:
        numbers = [rng.randint(10**digits, 10 ** (digits + 1) - 1) for digits in rng.choices(range(4), k=size)]
        texts = [str(number) for number in numbers]
        orders = {tuple(texts), tuple(texts[::-1]), tuple(sorted(texts)), tuple(str(n) for n in sorted(numbers))}
        if len(set(numbers)) == size and len(orders) == 4:
            return "".join(text + "\n" for text in texts)


def content(kind, values: dict[str, str], words: list[str], rng: random.Random) -> str | None:
    match kind:
        case "directory":
            return None
        case {"text": text}:
            return fill(text, values)
        case {"lines": number}:
            return prose(words, int(fill(number, values)), lambda text: len(text.splitlines()), rng)
        case {"words": number}:
            return prose(words, int(fill(number, values)), lambda text: len(text.split()), rng)
        case {"shuffled_words": size}:
            return shuffled_words(words, int(size), rng)
        case {"shuffled_numbers": size}:
            return shuffled_numbers(int(size), rng)
    raise ValueError(f"unknown kind of seed: {kind}")


# --- drawing tasks ----------------------------------------------------------------------------------------------


def draw(family: dict, pools: dict, split: str, size: int, rng: random.Random) -> list[Generated]:
    """Tasks of one family; no two say the same about the same files."""
    names = dict(family["parameters"], k="bystander")
    choices = {
        name: COUNTS[split] if pool == "count" else pools[pool][split] for name, pool in names.items()
    }
    # Each parameter goes through all of its values before one comes again.
    decks = {name: itertools.cycle(rng.sample(values, len(values))) for name, values in choices.items()}
    tasks: list[Generated] = []
    seen = set()
    for attempt in range(1000 * size):
        if len(tasks) == size:
            return tasks
        values = {name: str(next(deck)) for name, deck in decks.items()}
        if attempt % 7 == 6:  # decks whose sizes share a divisor would meet in few combinations
            next(decks[rng.choice(list(decks))])
        if len(set(values.values())) < len(values):
            continue
        seeds = {"{k}": {"text": "Do not touch this file.\n"}} | family.get("seeds", {})
        instruction = fill(family["instruction"], values)
        files = {
            fill(path, values): content(kind, values, pools["word"][split], rng) for path, kind in seeds.items()
        }
        # Where the instruction names nothing, what is there makes the difference.
        key = instruction if instruction != family["instruction"] else tuple(sorted(files))
        if key not in seen:
            seen.add(key)
            prefix = "held-out-" if split == "held-out" else ""
            name = f"{prefix}{family['name'].replace('_', '-')}-{len(tasks) + 1:03}"
            tasks.append(Generated(name, family, values, instruction, files))
    sys.exit(f"families.json: {family['name']}: has no {size} different tasks for {split}; add values to its pools")


# --- tests ------------------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """As one word of bash."""
    return "'" + text.replace("'", "'\\''") + "'"


def expectations(task: Generated) -> tuple[dict[str, str], list[str]]:
    """What must be there afterwards, as kinds by path, and the lines of the test that look into it."""
    kinds = {path: "directory" if text is None else "file" for path, text in task.seeds.items()}
    checks = {path: f"exactly {path} {quoted(text)}" for path, text in task.seeds.items() if text is not None}
    more = []
    for template, expected in task.family.get("expect", {}).items():
        path = task.fill(template)
        kinds[path] = "file"
        match expected:
            case "directory":
                kinds[path] = "directory"
            case "executable":
                kinds[path] = "executable"
            case "absent" | "deleted":
                del kinds[path]
                checks.pop(path, None)
                if expected == "deleted":
                    more.append(f"not_elsewhere {path}")
            case {"text": ""}:
                checks[path] = f"exactly {path} ''"
            case {"text": text}:
                checks[path] = f"holds {path} {quoted(task.fill(text))}"
            case {"copy": source}:
                source = task.fill(source)
                checks[path] = f"exactly {path} {quoted(task.seeds[source])}"
                more.append(f"separate {path} {source}")
            case {"was": source}:
                checks[path] = f"exactly {path} {quoted(task.seeds[task.fill(source)])}"
            case {"link": target}:
                kinds[path] = "link"
                more.append(f"leads {path} {task.fill(target)}")
            case {"number": number, "of": source}:
                checks[path] = f"number {path} {task.fill(number)} {task.fill(source)}"
            case {"sorted_words": source}:
                checks[path] = f"holds {path} {quoted(ordered(task.seeds[task.fill(source)], str))}"
            case {"sorted_numbers": source}:
                checks[path] = f"holds {path} {quoted(ordered(task.seeds[task.fill(source)], int))}"
            case _:
                raise ValueError(f"unknown expectation: {expected}")
    match task.family.get("prints"):
        case {"listing": names}:
            more.append("listing " + " ".join(sorted(task.fill(name) for name in names)))
        case {"number": number, "of": source}:
            more.append(f"number {OUTPUT} {task.fill(number)} {task.fill(source)}")
    return kinds, [*(checks[path] for path in sorted(checks)), *more]


def ordered(text: str, key) -> str:
    return "\n".join(sorted(text.splitlines(), key=key))


OUTPUT = "/logs/agent/output.txt"

# The parts that tests are put together from; each test carries those that it uses.
FUNCTIONS = {
    "text_of": """\
# Sets $text to the content of a file: no NUL, at most 64 KiB.
text_of() {
    text=
    [[ -f $1 && ! -L $1 ]] || fail "$1 is not a regular file"
    if IFS= read -r -d '' -n 65537 text < "$1"; then
        fail "$1 is binary or too long"
    fi
}
""",
    "exactly": """\
# FILE TEXT: the file holds the text, to the byte.
exactly() {
    text_of "$1"
    [[ $text == "$2" ]] || fail "$1 does not hold what it should"
}
""",
    "holds": """\
# FILE TEXT: the file holds the text, with or without a line end after it.
holds() {
    text_of "$1"
    [[ ${text%$'\\n'} == "${2%$'\\n'}" ]] || fail "$1 does not hold what it should"
}
""",
    "number": """\
# FILE NUMBER COUNTED: the file holds the number, alone or as wc prints it, with the name of the counted file.
number() {
    text_of "$1"
    local blank=$'[ \\t]' name=${3//./\\\\.}
    local form="^$blank*$2($blank+(\\\\./|/work/)?$name)?$blank*"$'\\n?$'
    [[ $text =~ $form ]] || fail "$1 does not hold the number"
}
""",
    "separate": """\
# COPY ORIGINAL: two files, not two names of one.
separate() {
    [[ ! $1 -ef $2 ]] || fail "$1 is $2 under another name"
}
""",
    "leads": """\
# LINK TARGET: the link leads to the target.
leads() {
    [[ $1 -ef $2 ]] || fail "$1 does not point to $2"
}
""",
    "not_elsewhere": """\
# NAME: it is gone, not put where things are put that one wants to be rid of.
not_elsewhere() {
    local folder
    for folder in / /tmp /var/tmp /root /home /opt; do
        [[ ! -e $folder/$1 && ! -L $folder/$1 ]] || fail "$1 was moved to $folder"
    done
}
""",
    "listing": """\
# NAME...: what was printed names all of these, as ls or find would, and nothing else.
listing() {
    text_of /logs/agent/output.txt
    local line word name named=' ' long='^[-d][-rwxst]{9}[.+@]? +[0-9]+ [^ ]+ +[^ ]+ +[0-9.]+[KMG]? .* ([^ ]+)$'
    local -a words
    while IFS= read -r line; do
        if [[ $line =~ ^total\\ [0-9.]+[KMG]?$ ]]; then
            continue
        elif [[ $line =~ $long ]]; then
            words=("${BASH_REMATCH[1]}")
        else
            read -r -a words <<< "$line"
        fi
        for word in "${words[@]}"; do
            word=${word#/work/}
            word=${word#./}
            case $word in
                . | .. | '' | /work) continue ;;
            esac
            for name in "$@"; do
                [[ $word == "$name" ]] && named+="$name " && continue 2
            done
            fail "printed '$word', which is no file here"
        done
    done <<< "$text"
    for name in "$@"; do
        [[ $named == *" $name "* ]] || fail "$name was not listed"
    done
}
""",
}
USES = {"exactly": "text_of", "holds": "text_of", "number": "text_of", "listing": "text_of"}

TEST = """\
#!/bin/bash -p
# %(instruction)s
#
# Builtins of the shell only: the attempt may have replaced any program.
export LC_ALL=C
shopt -s globstar dotglob nullglob

reward() {
    printf '%%s\\n' "$1" > /logs/verifier/reward.txt
    exit 0
}

fail() {
    printf 'failed: %%s\\n' "$1"
    reward 0
}

# Kind and name of everything under the working directory, a line each.
tree() {
    local path
    for path in **; do
        if [[ -L $path ]]; then
            printf 'link %%q\\n' "$path"
        elif [[ -d $path ]]; then
            printf 'directory %%q\\n' "${path%%/}"
        elif [[ -f $path && -x $path ]]; then
            printf 'executable %%q\\n' "$path"
        elif [[ -f $path ]]; then
            printf 'file %%q\\n' "$path"
        else
            printf 'special %%q\\n' "$path"
        fi
    done
}

%(functions)s
[[ -d /work && ! -L /work ]] || fail "/work is gone"
cd /work || fail "/work cannot be entered"
expected=%(tree)s
found=$(tree)
[[ $found == "$expected" ]] || fail "the working directory should hold
$expected
but holds
$found"
%(checks)s
reward 1
"""


def test_script(task: Generated) -> str:
    kinds, checks = expectations(task)
    used = {check.split()[0] for check in checks}
    used |= {USES[name] for name in used if name in USES}
    return TEST % {
        "instruction": task.instruction,
        "functions": "\n".join(text for name, text in FUNCTIONS.items() if name in used),
        "tree": quoted("\n".join(f"{kinds[path]} {path}" for path in sorted(kinds))),
        "checks": "\n".join(checks),
    }


# --- writing ----------------------------------------------------------------------------------------------------

TASK_TOML = """\
schema_version = "1.4"

[metadata]
domain = "%(domain)s"
skill_type = "%(family)s"
difficulty = "easy"
task_complexity = "short"
command_complexity = "bash-only"
language = "bash"

[agent]
timeout_sec = 120

[verifier]
timeout_sec = 30

[environment]
docker_image = "%(image)s"
workdir = "/work"
network_mode = "no-network"
cpus = 1
memory_mb = 256
"""


def write(task: Generated, folder: Path) -> None:
    family = task.family
    texts = {
        "task.toml": TASK_TOML % {"domain": family["domain"], "family": family["name"], "image": IMAGE},
        "instruction.md": task.instruction + "\n",
        "tests/test.sh": test_script(task),
        "solution/solve.sh": "#!/bin/bash\n" + task.fill(family["solution"]) + "\n",
    }
    texts |= {f"environment/{path}": text for path, text in task.seeds.items() if text is not None}
    for path, text in task.seeds.items():
        if text is None:
            make_folder(folder / "environment" / path)
    for path, text in texts.items():
        make_folder((folder / path).parent)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
        (folder / path).chmod(0o755 if path in ("tests/test.sh", "solution/solve.sh") else 0o644)


def make_folder(path: Path) -> None:
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir()
        path.chmod(0o755)


def generate(seed: int, per_family: dict[str, int]) -> dict[str, list[Generated]]:
    """All tasks by split, "train" and "held-out"."""
    described = json.loads((HERE / "families.json").read_text(encoding="utf-8"))
    pools = described["pools"]
    trained = {value for pool in pools.values() for value in pool["train"]}
    for name, pool in pools.items():
        if shared := trained & set(pool["held-out"]):
            sys.exit(f"families.json: pools.{name}.held-out: {sorted(shared)} are used in training; choose others")
    return {
        split: [
            task
            for family in described["families"]
            for task in draw(family, pools, split, size, random.Random(f"{seed}/{split}/{family['name']}"))
        ]
        for split, size in per_family.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the quickstart's tasks in the Harbor format.")
    parser.add_argument("out", type=Path, help="gets the folders train and held-out; what was in them is replaced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--train", type=int, default=30, help="training tasks of each family (default %(default)s)")
    parser.add_argument("--held-out", type=int, default=5, help="held-out tasks of each family (default %(default)s)")
    arguments = parser.parse_args()
    tasks = generate(arguments.seed, {"train": arguments.train, "held-out": arguments.held_out})
    for split, members in tasks.items():
        shutil.rmtree(arguments.out / split, ignore_errors=True)
        make_folder((arguments.out / split).resolve())
        for task in members:
            write(task, arguments.out / split / task.name)
    print(", ".join(f"{len(members)} tasks in {arguments.out / split}" for split, members in tasks.items()))


if __name__ == "__main__":
    main()
