# Two branches that have each added a line at the same place.
set -eu
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.com GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.com
cd /app
git init -q -b main
printf 'blue\nred\n' >colours.txt
git add colours.txt
git commit -q -m 'First colours'
git switch -q -c feature
printf 'blue\ngreen\nred\n' >colours.txt
git commit -q -a -m 'Add green'
git switch -q main
printf 'amber\nblue\ncyan\nred\n' >colours.txt
git commit -q -a -m 'Add amber and cyan'
git config user.name agent
git config user.email agent@example.com
