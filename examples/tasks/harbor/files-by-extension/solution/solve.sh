#!/bin/bash
set -eu
for file in inbox/*; do
    name=${file##*/}
    case $name in
        *.*) folder=${name##*.} ;;
        *) folder=other ;;
    esac
    mkdir -p "sorted/${folder,,}"
    mv "$file" "sorted/${folder,,}/"
done
