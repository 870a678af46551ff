#!/bin/bash
set -eu
cat >intervals.py <<'P'
"""Closed intervals of integers, as pairs (first, last)."""


def merge(intervals):
    """The same integers in as few intervals as possible, sorted."""
    merged = []
    for first, last in sorted(intervals):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
P
