import sys

sys.path.insert(0, "/work")
from intervals import merge


def test_order():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_within():
    assert merge([(1, 10), (2, 3), (9, 12)]) == [(1, 12)]


def test_neighbours():
    assert merge([(3, 4), (1, 2), (6, 6)]) == [(1, 4), (6, 6)]


def test_argument_stays():
    given = [(3, 4), (1, 2)]
    merge(given)
    assert given == [(3, 4), (1, 2)]


def test_empty():
    assert merge([]) == []
