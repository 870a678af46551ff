"""Closed intervals of integers, as pairs (first, last)."""


def merge(intervals):
    """The same integers in as few intervals as possible, sorted."""
    merged = []
    for first, last in intervals:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return merged
