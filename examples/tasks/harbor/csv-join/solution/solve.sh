#!/bin/bash
set -eu
{
    echo name,total
    awk -F, 'FNR == 1 { next } NR == FNR { name[$1] = $2; next } $2 in name { sum[$2] += $3 }
        END { for (id in sum) printf "%s,%.2f\n", name[id], sum[id] }' people.csv orders.csv | sort -t, -k2,2 -rn
} >totals.csv
