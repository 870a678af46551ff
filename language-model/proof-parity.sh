#!/usr/bin/env bash
# proof-parity.sh: this module's numbers beside transformers'. First the tests on the fixtures (log-probabilities,
# gradients of every tensor, 200 greedy tokens, packing, rotary scalings, GGUF formats, weights files), then exports
# loaded by the pinned transformers, which installs itself (fixtures/environment.py; 6 GB on disk).
# Ends with "N passed, N failed"; figures in target/proofs/parity.json. Needs JDK 25, Maven, python3 with venv.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/.."
# shellcheck source=../dev/env.sh
source dev/env.sh
use_java

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
reports=language-model/target/surefire-reports
tests='TrainingEngineTest,PackedGroupTest,DeltaSegmentsTest,DeltaNetSourceTest,DecodeEngineTest,RecurrentStatesTest'
tests+=',TrainerGeneratorAgreementTest,RopeScalingTest,QuantizationTest,GgufImportTest,SafetensorsTest,ModelFolderTest'
tests+=',ModelRequirementsTest,DecodeProgramTest,TrainingProgramTest,BlockSourcesTest,DeltaNetTrainingTest'

rm -f "$reports"/TEST-*.xml
failed=0
mvn -B -ntp -q -pl language-model test "-Dtest=$tests" || failed=1
python3 language-model/fixtures/check.py "$work" || failed=1

mkdir -p target/proofs
python3 - "$work/figures.json" "$(git rev-parse --short HEAD)" "$failed" "$reports"/TEST-*.xml << 'PYTHON'
import json
import pathlib
import sys
import xml.etree.ElementTree as xml

figures, commit, failed, *reports = sys.argv[1:]
figures = pathlib.Path(figures)
checks = json.loads(figures.read_text()) if figures.exists() else []
for report in reports:
    suite = xml.parse(report).getroot()
    for case in suite.iter("testcase"):
        broken = any(case.find(kind) is not None for kind in ("failure", "error"))
        checks.append({"name": f"{case.get('classname').split('.')[-1]}.{case.get('name')}", "passed": not broken})
lost = sum(not check["passed"] for check in checks)
if failed == "1" and lost == 0:
    checks.append({"name": "tests or comparison ended early", "passed": False})
    lost = 1
pathlib.Path("target/proofs/parity.json").write_text(json.dumps({"proof": "parity", "commit": commit, "checks": checks}, indent=1))
print(f"{len(checks) - lost} passed, {lost} failed")
sys.exit(1 if lost else 0)
PYTHON
