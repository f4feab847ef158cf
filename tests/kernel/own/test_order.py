"""A statistic of one's own sees a multiset of rows: not which came first, nor which fold they were in."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpframe.kernel.operations import Batch
from dpframe.kernel.own.claims import Collected

TABLES = {
    "ties in the first column": [[1.0, 2.0], [1.0, -3.0], [1.0, 0.5], [0.0, 9.0]],
    "zeros of both signs": [[0.0, 2.0], [-0.0, 1.0], [0.0, -0.0], [-0.0, 0.0]],
    "equal rows": [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]],
    "one column": [[3.0], [-0.0], [0.0], [3.0]],
}


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_the_same_bits_in_whatever_order_they_came(name: str) -> None:
    """Sorted by one column alone, or with −0 beside 0, which are equal and not alike, their order shows."""
    rows, seen = np.array(TABLES[name]), set[bytes]()
    for order in itertools.permutations(range(len(rows))):
        for cut in range(len(rows) + 1):
            first, second = Collected(rows.shape[1]), Collected(rows.shape[1])
            for fold, part in ((first, order[:cut]), (second, order[cut:])):
                fold.update(Batch(0, rows[list(part)], np.ones(len(part), dtype=bool)))
            first.merge(second)
            seen.add(first.rows().tobytes())
    assert len(seen) == 1
