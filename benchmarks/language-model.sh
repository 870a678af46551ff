#!/usr/bin/env bash
# language-model.sh: speed of this project's language model beside transformers on torch, in one run, turn by turn: the
# same weights, threads and number format. Models: SmolLM2-135M, and a random Qwen3.5-type hybrid of about 30 million
# parameters. Prints a table and writes target/bench-language-model.json; what the machine can do (matrix products,
# memory) is measured in the same run.
#   THREADS (default: all processors), ROUNDS (default 3), GROUPS_OF_8 (groups of train-group, default 8)
# Needs a JDK 25, Maven, python3 with venv, 8 GB of memory; an hour with 2 processors. The machine should be idle.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=../dev/env.sh
source dev/env.sh
use_java

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -q -ntp -pl language-model compile
smollm=$(language-model/smollm2.sh)
language-model/model.sh random "$work/hybrid" --architecture QWEN3_5 --hidden 512 --layers 8 --heads 8 \
  --feed-forward 1408 --vocabulary 2048
mkdir -p target
python3 benchmarks/language_model.py target/bench-language-model.json \
  --threads "${THREADS:-$(nproc)}" --rounds "${ROUNDS:-3}" --groups "${GROUPS_OF_8:-8}" \
  "SmolLM2-135M=$smollm" "hybrid-30M=$work/hybrid"
