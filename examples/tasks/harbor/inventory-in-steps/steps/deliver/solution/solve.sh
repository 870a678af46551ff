#!/bin/bash
mv delivery/* shelf/
cat shelf/* | sort | uniq -c | awk '{ print $2 "\t" $1 }' >inventory.txt
