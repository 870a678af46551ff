#!/bin/bash
set -eu
awk '$2 == "ERROR" { count[substr($1, 12, 2)]++ } END { for (hour in count) print hour, count[hour] }' service.log |
    sort >report.txt
