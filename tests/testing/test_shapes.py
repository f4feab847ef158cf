"""Tables that are always tried: what each of them shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery.shapes import almost_whole, coarse, heaps, in_order, shapes


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


@pytest.mark.parametrize("size", [2, 4, 7, 10, 32, 60])
def test_what_goes_by_place_moves_by_more_than_a_row(size: int) -> None:
    """Parts of so many rows, every second row, samples with a fixed seed; a plain total does not."""

    def in_parts(last: Any) -> float:
        rows = np.append(last, np.zeros(-len(last) % size)).reshape(-1, size)
        return float(np.clip(rows.sum(axis=1), 0, 1).sum())

    def most(total: Callable[[Any], float]) -> float:
        tables = [(others[:, -1], row[:, -1], new[:, -1]) for _, others, row, new in in_order(2, [0.5, float(size)])]
        return max(abs(total(np.append(row, rows)) - total(np.append(rows, new))) for rows, row, new in tables)

    assert most(in_parts) >= 7
    assert most(lambda last: float(last[::2].sum())) > 2
    assert most(lambda last: float(last[np.random.default_rng(0).random(len(last)) < 0.5].sum())) > 2
    assert most(lambda last: float(last.sum())) == 0


def test_rows_in_order_come_in_it() -> None:
    """The first column decides, so that the order is the one that a plugin's statistic is handed."""
    for _, others, row, new in in_order(3, [4.0]):
        first = np.concatenate([row, others, new])[:, 0]
        assert (np.diff(first) > 0).all()
    assert list(in_order(1, [4.0])) == []


@pytest.mark.parametrize(
    "total",
    [np.sum, sum, math.fsum],
)
def test_a_floor_of_a_total_moves_by_two(total: Callable[[Any], float]) -> None:
    """And a total of floors does not."""
    cut = [
        math.floor(total([*others[:, 0], 1.0])) - math.floor(total(others[:, 0])) for _, others, *_ in almost_whole(1)
    ]
    assert max(cut) == 2
    each = [total(np.floor([*others[:, 0], 1.0])) - total(np.floor(others[:, 0])) for _, others, *_ in almost_whole(1)]
    assert set(each) == {1.0}


def farthest(statistic: Callable[[Any], float], d: int, numbers: list[float]) -> float:
    """How far one row in the place of another moves it."""
    moved = []
    for _, others, one, new in shapes(d, numbers):
        first, second = (statistic(np.concatenate([others, row])) for row in (one, new))
        moved.append(abs(first - second))
    return max(moved)


def test_a_row_goes_and_one_comes_where_each_counts() -> None:
    """Sessions that half an hour of silence ends: one row joins two, and the other opens one."""

    def sessions(rows: Any) -> float:
        times = np.sort(rows[np.abs(rows[:, 0]) < 1e12, 0])
        return float((np.diff(times) > 1800.0).sum())

    assert farthest(sessions, 1, [1800.0, 1e12]) == 2


def test_a_cell_is_filled_between_two_full_ones() -> None:
    def edges(rows: Any) -> float:
        full = np.bincount(np.clip(rows[:, 0], 0, 9).astype(int), minlength=11) >= 20
        return float((full[1:] & full[:-1]).sum())

    assert farthest(edges, 2, [20.0]) == 2


def test_five_pairs_lose_one_another_to_a_row_amid_them() -> None:
    def mutual(rows: Any) -> float:
        apart = ((rows[:, None] - rows) ** 2).sum(axis=2)
        np.fill_diagonal(apart, np.inf)
        near = apart.argmin(axis=1)
        return float((near[near] == np.arange(len(rows))).sum() // 2)

    assert farthest(mutual, 2, []) >= 4


@pytest.mark.parametrize("large", [250.0, 9000.0])
def test_large_distances_of_the_code_are_among_those_that_are_tried(large: float) -> None:
    """Numbers that rows meet in a call stood before them, and only the first few were taken."""
    numbers = [2.0, large, *np.arange(3.0, 12.0)]
    assert any(np.abs(others).max() == 0.9 * large for words, others, *_ in shapes(2, numbers) if "each side" in words)
