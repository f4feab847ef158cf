"""What the kernel takes for the image of rows, of a function that a plugin wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.foreign import TOGETHER
from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms import row_map


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        (lambda values: values[:, 0] * 2, True),  # one number a row
        (lambda values: [float(v) for v in values[:, 0] * 2], True),
        (lambda values: values[:, 0].sum(), False),
        (lambda values: values[:1, 0] * 2 if len(values) > 1 else np.zeros(0), False),
    ],
)
def test_a_row_map_of_one_column_may_give_a_number_a_row(
    function: Callable[[Any], Any], kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It emptied every row once, after a try-out of single rows had let it pass."""
    monkeypatch.setattr(row_map, "find_row_function", lambda name: function)
    batch = Batch(0, np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), np.ones(3, dtype=bool))
    made = row_map.RowMap(function="flat", p=1).apply(batch)
    assert made.valid.tolist() == [kept] * 3
    assert made.values.tolist() == ([[2.0], [4.0], [6.0]] if kept else [[0.0]] * 3)


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        (lambda values: values[:, None, :] * 2, True),  # rows first, whatever follows
        (lambda values: (values * 2).T, False),  # rows last: read in this order, numbers of rows would mix
        (lambda values: (values * 2).ravel(), False),
    ],
)
def test_numbers_of_a_row_stay_its_own(
    function: Callable[[Any], Any], kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_map, "find_row_function", lambda name: function)
    batch = Batch(0, np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), np.ones(3, dtype=bool))
    made = row_map.RowMap(function="pairs", p=2).apply(batch)
    assert made.valid.tolist() == [kept] * 3
    assert made.values.tolist() == ([[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]] if kept else [[0.0, 0.0]] * 3)


def test_what_a_row_map_writes_into_a_released_value_is_read_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next batch is given the value as it was released: else its rows would see those of this one.

    Of `TOGETHER` rows, that is, which stand for these three.
    """

    def greedy(values: Any, shift: Any) -> Any:
        shift += values.sum(axis=0)
        values[:] = values + shift
        return values

    monkeypatch.setattr(row_map, "find_row_function", lambda name: greedy)
    batch, shift = Batch(0, np.ones((3, 1)), np.ones(3, dtype=bool)), np.zeros(1)
    made = [row_map.RowMap(function="greedy", p=1).apply(batch, shift).values.tolist() for _ in range(2)]
    assert made[0] == made[1] == [[TOGETHER + 1.0]] * 3
    assert shift.tolist() == [0.0]
    assert batch.values.tolist() == [[1.0]] * 3
