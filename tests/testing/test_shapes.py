"""Tables that are always tried: what each of them shows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpframe.testing.battery.shapes import heaps


def beyond(total: Callable[[list[float]], float], limit: float) -> int:
    """How many of the tables a total moves on by more than a row's largest number, twice."""
    moved = 0
    for _, others, row, new in heaps(1, [3.0, limit]):
        one, other = (total([*others[:, 0], last]) for last in (row[0, 0], new[0, 0]))
        moved += abs(round(one * 2**20) - round(other * 2**20)) > 2 * limit * 2**20 + 1
    return moved


def test_a_total_in_floats_moves_by_more_than_a_row() -> None:
    """And one in fractions does not."""
    assert beyond(lambda rows: float(np.sum(rows) * (1 / 3) * 3), 1e9) > 10
    assert beyond(lambda rows: sum(map(Fraction, rows), Fraction()), 1e9) == 0  # type: ignore[arg-type, return-value]


def test_without_large_numbers_nothing_is_tried() -> None:
    assert list(heaps(2, [1.0, 4.5])) == []
