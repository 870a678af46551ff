#!/bin/bash -p
# The service is started by its own script and asked.
cd /work || exit
ask() { python3 -P - "$1" <<'P'
import sys, urllib.request, urllib.error
try:
    with urllib.request.urlopen("http://127.0.0.1:8080" + sys.argv[1], timeout=5) as answer:
        print(answer.status, answer.read().decode().strip())
except urllib.error.HTTPError as error:
    print(error.code)
except OSError:
    print("down")
P
}
reward=1
bash start.sh >/dev/null 2>&1 || reward=0
[ "$(ask /words)" = '200 ["one", "two", "three"]' ] || reward=0
[ "$(ask /words/2)" = '200 two' ] && [ "$(ask /words/4)" = 404 ] && [ "$(ask /words/0)" = 404 ] || reward=0
echo four >>words.txt
[ "$(ask /words/4)" = '200 four' ] || reward=0
kill -0 "$(cat service.pid 2>/dev/null)" 2>/dev/null || reward=0
bash stop.sh >/dev/null 2>&1
[ "$(ask /words)" = down ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
