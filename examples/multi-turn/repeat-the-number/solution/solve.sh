#!/bin/bash
said=$(./ask.sh)
said=${said#The number is }
echo "${said%.}" > answer.txt
