#!/usr/bin/env python3
"""Called by language-model.sh: measures model.sh bench and transformers turn by turn.

    python3 benchmarks/language_model.py REPORT --threads N --rounds N --groups N NAME=FOLDER...

Rows are those of model.sh bench (its Speed class says what they are). Each row is measured once by each side to warm up,
then ROUNDS times, ours and the peer's one after the other; figures are medians, in tokens a second.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "language-model/fixtures"))

import environment  # noqa: E402

environment.enter()

import torch  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402
from transformers.utils import logging  # noqa: E402

logging.disable_progress_bar()
logging.set_verbosity_error()
warnings.simplefilter("ignore", FutureWarning)

FORMATS = {"f32": ("FP32", torch.float32), "bf16": ("BF16", torch.bfloat16)}
# The ratio that each row should reach.
BARS = {"train-256": 1.2, "train-1024": 1.2, "train-group": 2.0, "decode-b1": 1.8, "decode-b8": 1.8, "decode-b32": 2.5}
PROMPT, RESPONSE, SAMPLES, NEW, SEQUENCE = 100, 30, 8, 32, 256


class Ours:
    def __init__(self, folder, precision, threads, groups):
        self.process = subprocess.Popen(
            [ROOT / "language-model/model.sh", "bench", folder, "--ask", f"--precision={precision}",
             f"--threads={threads}", f"--prompt={PROMPT}", f"--new={NEW}", f"--groups={groups}",
             f"--samples={SAMPLES}", f"--response={RESPONSE}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def measure(self, row):
        print(row, file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if line.startswith(row + " "):
                return float(line.split()[1])
        sys.exit(f"model.sh bench ended at {row}; run it by hand to see why")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Peer:
    """transformers with its own attention (scaled_dot_product_attention) and key/value cache."""

    def __init__(self, folder, dtype, groups):
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
        self.groups = groups
        self.vocabulary = self.model.config.vocab_size

    def measure(self, row):
        if row == "train-group":
            return self.train([self.tokens(SAMPLES, PROMPT + RESPONSE) for _ in range(self.groups)], RESPONSE)
        kind, size = row.split("-")
        if kind == "decode":
            return self.decode(int(size[1:]))
        sequences = int(size) // SEQUENCE
        return self.train([self.tokens(sequences, SEQUENCE)], SEQUENCE - 1)

    def tokens(self, rows, columns):
        return torch.randint(3, self.vocabulary, (rows, columns))

    def train(self, batches, scored):
        """Forward and backward of the log-probabilities of the last tokens of every sequence."""
        begin = time.perf_counter()
        for ids in batches:
            logits = self.model(ids, use_cache=False, logits_to_keep=scored + 1).logits[:, :-1].float()
            logp = torch.log_softmax(logits, -1).gather(-1, ids[:, -scored:, None])
            (-logp.sum() / ids.numel()).backward()
        seconds = time.perf_counter() - begin
        self.model.zero_grad()
        return sum(ids.numel() for ids in batches) / seconds

    def decode(self, batch):
        with torch.inference_mode():
            result = self.model(self.tokens(1, PROMPT).expand(batch, -1), use_cache=True, logits_to_keep=1)
            begin = time.perf_counter()
            for _ in range(NEW - 1):
                probabilities = torch.softmax(result.logits[:, -1].float(), -1)
                result = self.model(
                    torch.multinomial(probabilities, 1), past_key_values=result.past_key_values, use_cache=True)
            return batch * (NEW - 1) / (time.perf_counter() - begin)


def fastest(action, repeats=5):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return min(times)


def machine():
    """GFLOP/s of a matrix product in each format, and GB/s of a copy (read and written)."""
    figures = {}
    for name, (_, dtype) in FORMATS.items():
        matrix = torch.randn(2048, 2048).to(dtype)
        figures[f"gemm-{name} GFLOP/s"] = 2 * 2048**3 / fastest(lambda: matrix @ matrix) / 1e9
    source, target = torch.ones(1 << 26), torch.empty(1 << 26)
    figures["memory GB/s"] = 2 * source.nbytes / fastest(lambda: target.copy_(source)) / 1e9
    return figures


def work(row):
    """Operations of ours for each parameter and counted token: two, three times as many with the backward pass; a group's
    prompt is computed once."""
    if row == "train-group":
        return 6 * (PROMPT + SAMPLES * RESPONSE) / (SAMPLES * (PROMPT + RESPONSE))
    return 6 if row.startswith("train") else 2


def compare(name, folder, form, arguments):
    precision, dtype = FORMATS[form]
    ours = Ours(folder, precision, arguments.threads, arguments.groups)
    peer = Peer(folder, dtype, arguments.groups)
    parameters = sum(p.numel() for p in peer.model.parameters())
    rows = []
    for row, bar in BARS.items():
        ours.measure(row)
        peer.measure(row)
        pairs = [(ours.measure(row), peer.measure(row)) for _ in range(arguments.rounds)]
        here, there = (statistics.median(side) for side in zip(*pairs))
        rows.append({
            "model": name, "format": form, "row": row, "ours": here, "peer": there, "ratio": here / there, "bar": bar,
            "oursGflops": here * work(row) * parameters / 1e9, "rounds": pairs})
        print(f"| {name} | {form} | {row} | {here:.0f} | {there:.0f} | {here / there:.2f} | {bar} |"
              f" {rows[-1]['oursGflops']:.0f} |", flush=True)
    ours.close()
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=Path)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--groups", type=int, required=True)
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    figures = machine()
    print(", ".join(f"{name} {value:.0f}" for name, value in figures.items()))
    print("| model | format | row | ours, tokens/s | transformers | ratio | bar | ours, GFLOP/s |\n|---|---|---|---|---|---|---|---|")
    rows = []
    for model in arguments.models:
        name, folder = model.split("=", 1)
        for form in FORMATS:
            rows += compare(name, folder, form, arguments)
    arguments.report.write_text(json.dumps(
        {"threads": arguments.threads, "rounds": arguments.rounds, "groups": arguments.groups, "machine": figures,
         "rows": rows}, indent=1))


main()
