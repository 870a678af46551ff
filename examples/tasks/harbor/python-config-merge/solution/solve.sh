#!/bin/bash
set -eu
cat >merge.py <<'P'
import json
import sys


def merge(old, new):
    for key, value in new.items():
        if value is None:
            old.pop(key, None)
        elif isinstance(value, dict) and isinstance(old.get(key), dict):
            merge(old[key], value)
        else:
            old[key] = value


result = {}
for name in sys.argv[1:]:
    try:
        with open(name, encoding="utf-8") as file:
            content = json.load(file)
        if not isinstance(content, dict):
            raise ValueError("is not an object")
    except (OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2)
    merge(result, content)
print(json.dumps(result, indent=2, sort_keys=True, ensure_ascii=False))
P
