"""Plugins' functions of rows: what one row raises stays with it, to the last digit of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.kernel.foreign import TOGETHER, rowwise


def by_number(rows: Any) -> Any:
    """Other last digits for one row alone than for rows beside others; raises beyond 10."""
    if (rows > 10).any():
        raise ValueError("out of range")
    return rows * (1 + 2.0**-52 * (len(rows) > 1))


@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_row_that_fails_has_no_image_and_leaves_the_others_as_they_were(at: int) -> None:
    rows = np.arange(1.0, 6.0)[:, None]
    wanted, rows[at] = rowwise(by_number, rows, 1), 11.0
    found = rowwise(by_number, rows, 1)
    assert np.isnan(found[at])
    assert np.delete(found, at).tolist() == np.delete(wanted, at).tolist()


def test_a_function_of_one_row_at_a_time_is_asked_row_by_row() -> None:
    def alone(rows: Any) -> Any:
        (row,) = rows
        return rows if row[0] < 10 else None

    assert rowwise(alone, np.array([[1.0], [2.0]]), 1).tolist() == [[1.0], [2.0]]
    found = rowwise(alone, np.array([[1.0], [11.0], [3.0]]), 1)
    assert found[[0, 2], 0].tolist() == [1.0, 3.0]
    assert np.isnan(found[1])


def test_where_all_rows_fail_none_has_an_image() -> None:
    assert np.isnan(rowwise(by_number, np.full((3, 2), 11.0), 2)).all()
    assert rowwise(by_number, np.zeros((0, 2)), 2).shape == (0, 2)


def by_place(rows: Any) -> Any:
    """Other last digits for other numbers of rows, as products of matrices have them."""
    return rows * (1 + 2.0**-52 * (len(rows) % 7))


@pytest.mark.parametrize("m", [1, 2, TOGETHER - 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER + 5])
def test_one_row_more_moves_no_image_of_the_others(m: int) -> None:
    rows = np.random.default_rng(m).standard_normal((m + 1, 2))
    assert rowwise(by_place, rows[:-1], 2).tolist() == rowwise(by_place, rows, 2)[:-1].tolist()
    assert rowwise(by_place, rows[1:], 2).tolist() == rowwise(by_place, rows, 2)[1:].tolist()
    assert by_place(rows[:-1]).tolist() != by_place(rows)[:-1].tolist()  # as it would be without


def test_many_rows_that_fail_leave_the_others() -> None:
    rows = np.random.default_rng(0).uniform(0.0, 20.0, (2 * TOGETHER + 9, 1))
    found = rowwise(by_number, rows, 1)
    fails = rows > 10
    assert np.isnan(found[fails]).all()
    assert found[~fails].tolist() == (rows[~fails] * (1 + 2.0**-52)).tolist()


FUNCTIONS = {
    "product": lambda x, w: x @ w,
    "einsum": lambda x, w: np.einsum("ij,jk->ik", x, w, optimize=True),
    "product of sines": lambda x, w: np.sin(x) @ w,
    "sum of exponentials": lambda x, w: np.exp(-(x**2)).sum(axis=1, keepdims=True),
    "distances": lambda x, w: np.linalg.norm(x[:, None] - w.T, axis=2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("d", "p"), [(1, 1), (3, 2), (8, 4), (17, 33), (100, 3), (300, 2)])
def test_a_rows_place_decides_nothing_on_this_machine(name: str, d: int, p: int) -> None:
    """What is believed of NumPy and its BLAS (docs/theory/own.md); where another one differs this fails."""
    rng = np.random.default_rng(d)
    rows, weights = rng.standard_normal((2 * TOGETHER, d)), rng.standard_normal((d, p))
    images = rowwise(lambda x: FUNCTIONS[name](x, weights), rows, FUNCTIONS[name](rows[:2], weights).shape[1])
    assert np.isfinite(images).all()
    for by in (1, 2, 3, 7, 8, 16, 31, 255):
        moved = rowwise(lambda x: FUNCTIONS[name](x, weights), np.roll(rows, by, axis=0), images.shape[1])
        assert (np.roll(moved, -by, axis=0) == images).all()
