# Files of a fixed content, packed, split, and damaged.
set -eu
mkdir -p /app/parts /tmp/data
seq 1 4000 | sha256sum >/tmp/data/first.txt
for i in $(seq 1 300); do echo "$i" | sha256sum; done >/tmp/data/second.txt
tar -czf /tmp/data.tar.gz -C /tmp/data first.txt second.txt
split -n 3 -d -a 1 /tmp/data.tar.gz /app/parts/part-
printf 'XXXXXXXXXX' >>/app/parts/part-1
rm -r /tmp/data /tmp/data.tar.gz
