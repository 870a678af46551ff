#!/bin/bash
set -eu
find /srv/app -type f \( -perm -002 -o -perm -4000 \) | LC_ALL=C sort >findings.txt
while IFS= read -r file; do
    chmod o-w,u-s "$file"
done <findings.txt
