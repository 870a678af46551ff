#!/bin/bash
set -eu
(cd site && find . -path ./cache -prune -o -type f -name '*.conf' -printf '%P\n' | LC_ALL=C sort) >/tmp/list
tar -czf backup.tar.gz -C site -T /tmp/list
sha256sum backup.tar.gz >backup.sha256
