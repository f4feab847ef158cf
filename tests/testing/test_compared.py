"""Numbers that a function meets in a call, wherever it has them from, and what is refuted by rows of them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery.attack_row_maps import first_difference, uses_of
from dpframe.testing.battery.compared import compared, rows_of

TABLES = (np.zeros((3, 2)), np.ones((4, 2)) / 3)


def by_a_date(rows: Any) -> Any:
    return rows[:, 0] == dt.date(2002, 1, 1).toordinal()


def by_a_letter(rows: Any) -> Any:
    return [row[0] > ord("z") * 5 for row in rows]


def by_a_text(rows: Any) -> Any:
    return [v < float("".join(["7", "7.5"])) for v in rows[:, 1].tolist()]


def by_a_list(rows: Any) -> Any:
    return np.isin(rows, [10 * k + 0.25 for k in range(2, 4)])


@pytest.mark.parametrize(
    ("function", "numbers"),
    [(by_a_date, [730851.0]), (by_a_letter, [610.0]), (by_a_text, [77.5]), (by_a_list, [20.25, 30.25])],
)
def test_a_number_that_is_made_in_a_call_is_heard(function: Any, numbers: list[float]) -> None:
    assert compared(function, TABLES) == numbers
    assert compared(function, TABLES, numbers) == []


def test_what_is_made_of_rows_is_not() -> None:
    assert compared(lambda rows: (rows - rows.mean()) / len(rows) > rows.max(), TABLES) == []


def test_a_function_that_raises_is_heard_up_to_there() -> None:
    def refuses(rows: Any) -> Any:
        if (rows < int("-41")).any():
            return rows
        raise SystemExit(1)

    assert compared(refuses, TABLES) == [-41.0]


def test_each_number_stands_in_each_place() -> None:
    rows = rows_of([5.0, 7.5], np.zeros((2, 3))).tolist()
    assert [7.5, 0.0, 0.0] in rows
    assert [0.0, 0.0, 7.5] in rows
    assert [7.5] * 3 in rows
    assert [0.0] * 3 in rows


def one_row_decides(rows: Any) -> Any:
    return rows * (2.0 if (rows[:, 0] == dt.date(2002, 1, 1).toordinal()).any() else 1.0)


def each_row_decides(rows: Any) -> Any:
    return rows * np.where(rows[:, :1] == dt.date(2002, 1, 1).toordinal(), 2.0, 1.0)


def test_rows_of_a_number_that_is_made_in_a_call_refute() -> None:
    assert first_difference(one_row_decides, uses_of(one_row_decides, most=1)[0], 0.1) is not None
    assert first_difference(each_row_decides, uses_of(each_row_decides, most=1)[0], 0.1) is None
