"""Batches of which a figure is a number of the code, and what is refuted by them and by no row alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery import wholes
from dpframe.testing.battery.attack_row_maps import _at_numbers
from dpframe.testing.battery.row_images import Use

USE = Use(2, 2, (), (("plain", np.array([[0.5, 2.0], [1.5, -3.0]])),))


def where(holds: Callable[[Any], bool]) -> Callable[[Any], Any]:
    """Halves of the rows where that holds of all of them."""
    return lambda rows: rows / 2 if len(rows) > 2 and holds(rows) else rows * 1.0


FAULTY = {
    "mean": where(lambda rows: rows[:, 0].mean() == 36.5),
    "range": where(lambda rows: np.ptp(rows[:, 0]) == 360),
    "deviation": where(lambda rows: rows[:, 0].std() == 15 and rows[:, 0].mean() == 100),
    "geometric mean": where(
        lambda rows: bool((rows > 0).all() and np.isclose(np.exp(np.log(rows[:, 0]).mean()), 20) and np.ptp(rows) > 1)
    ),
    "rows": where(lambda rows: (rows.sum(axis=1) == 24).all()),
    "trace": lambda rows: rows / 2 if len(rows) == 2 and np.trace(rows) == 12 else rows * 1.0,
    "total": where(lambda rows: (rows[-1] == rows[:-1].sum(axis=0)).all() and np.ptp(rows) > 0),
    "first": where(lambda rows: (rows[0] == rows[1:].mean(axis=0)).all() and np.ptp(rows) > 0),
    "factorial": where(
        lambda rows: (
            len(rows) == 6 == len(np.unique(rows, axis=0)) == len(np.unique(rows[:, 0])) * len(np.unique(rows[:, 1]))
        )
    ),
    "alternating": where(lambda rows: len(rows) == 3 and rows[0, 0] - rows[1, 0] + rows[2, 0] == 5 and rows.min() > 3),
    "indicators": where(lambda rows: bool(((rows == 0) | (rows == 1)).all() and (rows.sum(axis=1) == 1).all())),
    "shares": where(lambda rows: rows[0, 0] == 0 and rows[-1, 0] == 1 and (np.diff(rows[:, 0]) > 0).all()),
}


@pytest.mark.parametrize("name", FAULTY)
def test_what_looks_at_a_figure_of_the_batch_is_refuted(name: str) -> None:
    found = _at_numbers(FAULTY[name], USE, math.inf)
    assert found is not None
    assert found["layer"] == "rowwise"


@pytest.mark.parametrize(
    "function",
    [
        lambda rows: np.where(rows.sum(axis=1, keepdims=True) == 24, rows / 2, rows),
        lambda rows: np.clip(rows, 0, 36.5) * 360,
        np.log,
    ],
)
def test_what_looks_at_each_row_is_not(function: Callable[[Any], Any]) -> None:
    with np.errstate(all="ignore"):
        assert _at_numbers(function, USE, math.inf) is None


def test_what_refuses_most_batches_is_called_row_by_row() -> None:
    def refusing(rows: Any) -> Any:
        if (rows < 0).any():
            raise ValueError
        return rows / 2 if rows[:, 0].mean() == 50 else rows * 1.0

    assert _at_numbers(refusing, USE, math.inf) is not None


def test_rows_that_change_among_those_of_other_batches_are_told() -> None:
    def many(rows: Any) -> Any:
        return rows - rows.mean() if len(rows) > 900 else rows * 1.0

    found = _at_numbers(many, USE, math.inf)
    assert found is not None
    assert "among those of other batches" in found["message"]


FIGURES = {
    **wholes.MOVED,
    **wholes.OF_POSITIVE,
    "total": np.sum,
    "product": np.prod,
    **{words: figure for words, (figure, _) in wholes.STRETCHED.items()},
}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("number", [50.0, 0.5, 37.0])
def test_each_figure_is_the_number(name: str, number: float) -> None:
    column = dict(wholes.batches(1, [number]))[f"{name} {number:g}"][:, 0]
    assert FIGURES[name](column) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3, 9])
def test_every_batch_is_of_finite_rows(d: int) -> None:
    assert all(rows.shape[1] == d and np.isfinite(rows).all() for _, rows in wholes.batches(d, [2.0, -7.0, 1e9, 0.1]))
