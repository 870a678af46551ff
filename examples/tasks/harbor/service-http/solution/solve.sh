#!/bin/bash
set -eu
cat >service.py <<'P'
import json
from http.server import BaseHTTPRequestHandler, HTTPServer


class Words(BaseHTTPRequestHandler):
    def do_GET(self):
        with open("/work/words.txt", encoding="utf-8") as file:
            words = file.read().splitlines()
        parts = self.path.strip("/").split("/")
        if parts == ["words"]:
            self.answer(200, json.dumps(words))
        elif len(parts) == 2 and parts[0] == "words" and parts[1].isdigit() and 1 <= int(parts[1]) <= len(words):
            self.answer(200, words[int(parts[1]) - 1])
        else:
            self.answer(404, "")

    def answer(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


HTTPServer(("127.0.0.1", 8080), Words).serve_forever()
P
cat >start.sh <<'S'
#!/bin/bash
cd /work || exit 1
python3 service.py >service.log 2>&1 </dev/null &
echo $! >service.pid
for try in {1..100}; do
    python3 -c 'import socket; socket.create_connection(("127.0.0.1", 8080), 1)' 2>/dev/null && exit 0
    sleep 0.1
done
exit 1
S
cat >stop.sh <<'S'
#!/bin/bash
pid=$(cat /work/service.pid)
kill "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
S
