#!/bin/bash -p
# The password stands in the file that the note names, not in the one beside it.
reward=0
if [[ -f /work/answer.txt && ! -L /work/answer.txt ]]; then
    IFS= read -r -n 200 answer < /work/answer.txt
    [[ $answer == amber-7741-finch ]] && reward=1
fi
echo "$reward" > /logs/verifier/reward.txt
