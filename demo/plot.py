"""Draws the reward curve of a run: plot.py target/demo.json docs/quickstart-reward.png (needs matplotlib from PyPI)."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend is chosen first

WINDOW = 5  # steps in the running mean


def main() -> None:
    source, target = map(pathlib.Path, sys.argv[1:3])
    result = json.loads(source.read_text())
    rewards = result["rewards"]
    steps = range(1, len(rewards) + 1)
    means = [sum(rewards[max(0, i - WINDOW):i]) / min(i, WINDOW) for i in steps]
    figure, axes = pyplot.subplots(figsize=(8, 4))
    axes.plot(steps, rewards, ".", color="tab:gray", label="a step (64 attempts)")
    axes.plot(steps, means, color="tab:blue", label=f"mean of {WINDOW} steps")
    for step, key, label in ((0, "heldOutBefore", "held-out, before"), (len(rewards), "heldOutAfter", "held-out, after")):
        if result.get(key) is not None:
            axes.plot(step, result[key], "D", color="tab:red", label=f"{label}: {result[key]:.2f}")
    axes.set(xlabel="optimizer step", ylabel="mean reward", ylim=(0, 1), title="Quickstart: SmolLM2-135M, 20 families of tasks")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    main()
