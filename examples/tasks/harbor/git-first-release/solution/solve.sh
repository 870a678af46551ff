#!/bin/bash
set -eu
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
git init -q -b main
git add hello.py
git commit -q -m 'Add program'
echo '*.log' >.gitignore
git add .gitignore README.md
git commit -q -m 'Add documentation'
git tag -a v1.0 -m 'First release'
