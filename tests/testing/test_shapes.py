"""Tables that are always tried: what each of them shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery.shapes import coarse, heaps


def beyond(total: Callable[[list[float]], float], limit: float) -> int:
    """How many of the tables a total moves on by more than a row's largest number."""
    moved = 0
    for _, others, row, _new in heaps(1, [3.0, limit], 2.0**33):
        with_it, without = total([row[0, 0], *others[:, 0]]), total([*others[:, 0]])
        moved += abs(round(with_it * 2**20) - round(without * 2**20)) > limit * 2**20 + 2
    return moved


@pytest.mark.parametrize("limit", [1e7, 1e8, 1e9])
def test_a_total_in_floats_moves_by_more_than_a_row(limit: float) -> None:
    """And one in fractions, or that is rounded once, does not."""
    assert beyond(lambda rows: float(np.sum(rows) * (1 / 3) * 3), limit) > 2
    assert beyond(lambda rows: float(np.mean(rows) * len(rows)), limit) > 2
    assert beyond(lambda rows: float(np.float32(rows).sum()), limit) > 2
    assert beyond(lambda rows: float(np.cumsum(rows)[-1]), limit) > 2
    assert beyond(math.fsum, limit) == 0


def test_without_large_numbers_nothing_is_tried() -> None:
    assert list(heaps(2, [1.0, 4.5], 2.0**33)) == []


@pytest.mark.parametrize("bound", [1e3, 1e7, 2.0**50])
def test_deviations_from_a_rounded_mean_move_by_more_than_a_row(bound: float) -> None:
    """And those from the bound itself, which nothing rounds, do not."""

    def by_squares(rows: Any) -> float:
        kept = rows.astype(np.float32) if bound < 1e6 else rows
        if bound > 1e9:
            return float(np.square(kept - kept.mean()).sum())
        return float((kept * kept).sum() - kept.sum() ** 2 / len(kept))

    def by_differences(rows: Any) -> float:
        kept = rows - bound
        return float(np.square(kept - kept.mean()).sum())

    def most(total: Callable[[Any], float]) -> float:
        tables = [(others[:, 0], new[:, 0], row[:, 0]) for _, others, row, new in coarse(1, [3.0, bound])]
        return max(abs(total(np.append(a, b)) - total(a)) for a, *ends in tables for b in ends)

    assert most(by_squares) > 1.5
    assert most(by_differences) <= 1 + 1e-9
