#!/bin/bash -p
# By example, errors included.
in=$(mktemp -d)
cd "$in" || exit
echo '{"b": {"x": 1, "y": [1]}, "a": 1, "z": 0}' >1.json
echo '{"b": {"y": [2], "w": {"q": 1}}, "a": null, "new": "ü"}' >2.json
echo '[1]' >list.json
echo '{"a": ' >broken.json
reward=1
got=$(python3 /work/merge.py 1.json 2.json) || reward=0
python3 - "$got" <<'P' || reward=0
import json, sys
assert json.loads(sys.argv[1]) == {"b": {"x": 1, "y": [2], "w": {"q": 1}}, "z": 0, "new": "ü"}
assert sys.argv[1].startswith('{\n  "b": {\n    "w"')
P
for bad in list.json broken.json missing.json; do
    out=$(python3 /work/merge.py 1.json "$bad" 2>err)
    [ $? = 2 ] && [ -z "$out" ] && grep -q "$bad" err || reward=0
done
echo "$reward" >/logs/verifier/reward.txt
