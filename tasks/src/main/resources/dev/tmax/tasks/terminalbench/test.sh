#!/.tmax/busybox sh
# test.sh of a task that was written for Terminal-Bench 1. Runs its run-tests.sh as a child, which may exit as it likes,
# and makes the reward of what that printed. No report in the output is no reward, which is not the same as 0.
# The host's own busybox does the reading: what the attempt did to the programs of the image does not matter to it.
parser=@PARSER@
busybox=/.tmax/busybox
output=/logs/verifier/test-stdout.txt

bash /tests/run-tests.sh </dev/null >"$output" 2>&1
status=$?
$busybox cat "$output"

reward=$($busybox awk -v parser="$parser" '
  BEGIN {
    if (parser == "swebench") { begin = "SWEBench results starts here"; end = "SWEBench results ends here"; good = "PASSED" }
    if (parser == "sweperf") { begin = "SWE-Perf results starts here"; end = "SWE-Perf results ends here"; good = "PASSED" }
    if (parser == "mlebench") { begin = "MLEBench results starts here"; end = "MLEBench results ends here"; good = "ALL TESTS PASSED" }
  }
  { gsub(/\033\[[0-9;]*[A-Za-z]/, ""); gsub(/\r/, "") }

  parser == "pytest" && !found {
    if (tolower($0) ~ /=+[ \t]*short test summary info[ \t]*=+/) found = 1
    next
  }
  parser == "pytest" {
    line = $0
    if (line ~ /^FAILED/) {
      for (at = 0; (next_at = index(substr(line, at + 1), " - ")) > 0; at += next_at) last = at + next_at
      if (at > 0) line = substr(line, 1, last - 1)
    }
    if (split(line, words, /[ \t]+/) < 2) next
    word = words[1]; gsub(/^:+|:+$/, "", word)
    if (word !~ /^(PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)$/) next
    name = line; sub(/^[^ \t]+[ \t]+/, "", name)
    colons = index(name, "::"); if (colons > 0) name = substr(name, colons + 2)
    sub(/[ \t]+$/, "", name); if (name == "") next
    passed[name] = (word == "PASSED" || word == "SKIPPED" || word == "XFAIL")
    next
  }

  begin != "" {
    if (!found) {
      at = index($0, begin)
      if (at == 0) next
      found = 1
      $0 = substr($0, at + length(begin))
    }
    block = block $0 "\n"
    if (length(block) > 1000000) exit
    next
  }

  parser == "swelancer" {
    line = tolower($0)
    if (index(line, "swe lancer success")) success = 1
    if (index(line, "swe lancer failure")) failure = 1
    if (index(line, "user_tool")) tool = 1
    if (index(line, "completed")) completed = 1
  }

  END {
    if (parser == "pytest") {
      count = 0; bad = 0
      for (name in passed) { count++; if (!passed[name]) bad++ }
      if (count > 0) print (bad == 0) ? 1 : 0
    } else if (begin != "") {
      last = 0; rest = block
      while ((at = index(rest, end)) > 0) { last += at; rest = substr(rest, at + 1) }
      if (found && last > 0) {
        block = substr(block, 1, last - 1); gsub(/^[ \t\n]+|[ \t\n]+$/, "", block)
        print (block == good) ? 1 : 0
      }
    } else if (parser == "swelancer") {
      if (success) print 1
      else if (failure) print 0
      else if (tool && completed) print 1
    }
  }' "$output")

if [ -z "$reward" ]; then
  echo "run-tests.sh ended with status $status and printed no report that the parser $parser knows" >&2
  exit 1
fi
echo "$reward" >/logs/verifier/reward.txt
