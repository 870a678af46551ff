#!/bin/bash
# Another number at every call; the last one counts.
number=$((100000 + SRANDOM % 900000))
echo "$number" > .asked
echo "The number is $number."
