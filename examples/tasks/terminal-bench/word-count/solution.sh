#!/bin/bash
tr 'A-Z' 'a-z' </app/poem.txt | tr -cs 'a-z' '\n' | grep . | sort | uniq -c | sort -k1,1nr -k2,2 |
    awk '{ print $2, $1 }' >/app/counts.txt
