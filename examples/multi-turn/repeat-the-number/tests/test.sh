#!/bin/bash -p
# The number is another one in every attempt, so it can only come from what the script printed.
reward=0
if [[ -f /work/.asked && -f /work/answer.txt && ! -L /work/answer.txt && ! /work/.asked -ef /work/answer.txt ]]; then
    IFS= read -r -n 200 asked < /work/.asked
    IFS= read -r -n 200 answer < /work/answer.txt
    [[ $asked =~ ^[1-9][0-9]{5}$ && $answer == "$asked" ]] && reward=1
fi
echo "$reward" > /logs/verifier/reward.txt
