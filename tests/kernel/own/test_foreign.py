"""Plugins' functions of rows: what one row raises stays with it, to the last digit of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.kernel.foreign import rowwise


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
