"""A plugin's distances of many rows at once: how many rows there are, and what one of them raises, moves no other pair.

A product's last digits depend on how many rows are multiplied, which no attack tells from rounding. The functions here
have such digits on every processor.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registered_models import RegisteredAgreement, distances
from dpframe.kernel.families.registering import Semimetric, semimetric
from dpframe.kernel.operations import Exact

T = 12
ASKED: list[int] = []


@semimetric("near_by.by_number", triangle=lambda r: 1.0, many=True)
def by_number(a: Any, rows: Any) -> Any:
    """A norm whose last digit depends on the number of rows; raises for what is out of its range."""
    if max(np.abs(a).max(), np.abs(rows).max()) > 1e6:
        raise ValueError("out of range")
    ASKED.append(len(rows))
    return np.abs(rows - a).max(axis=1) * (1 + 2.0**-50 * (len(rows) % 2))


def agreement(blocks: list[Any]) -> Fraction:
    """Q of blocks whose camps are as far apart as two near blocks may be, but for the last digit."""
    made = RegisteredAgreement(semimetric="near_by.by_number", r=2.0 + 2.0**-51, d=1).evaluate(Exact(blocks))
    return Fraction(int(made.integers[0])) * made.step


@pytest.mark.parametrize("t", [T, T + 1])
@pytest.mark.parametrize("changed", [None, (np.array([1e7]),)])
@pytest.mark.parametrize("at", [0, T // 2, T - 1])
def test_one_block_moves_the_agreement_by_no_more_than_its_own_pairs(t: int, changed: Any, at: int) -> None:
    blocks: list[Any] = [(np.array([float(i % 2)]),) for i in range(t)]
    other = [*blocks[:at], changed, *blocks[at + 1 :]]
    assert abs(agreement(blocks) - agreement(other)) <= Fraction(2, t)


def test_all_blocks_are_asked_about_whichever_have_a_result() -> None:
    blocks: list[Any] = [(np.array([float(i)]),) for i in range(T)]
    blocks[3] = blocks[7] = None
    ASKED.clear()
    agreement(blocks)
    assert set(ASKED) == {T}


def test_a_row_that_fails_is_far_and_leaves_the_others_as_they_were() -> None:
    space = Semimetric("near_by.by_number", by_number, lambda r: 1.0, many=True)
    rows = np.array([[1.0], [2.0], [1e7], [3.0], [4.0]])
    whole = distances(space, np.zeros(1), np.where(rows > 1e6, 0.0, rows))
    found = distances(space, np.zeros(1), rows)
    assert np.isinf(found[2])
    assert np.delete(found, 2).tolist() == np.delete(whole, 2).tolist()


def test_a_function_that_takes_one_row_only_is_asked_row_by_row() -> None:
    def alone(a: Any, rows: Any) -> Any:
        if len(rows) > 1:
            raise ValueError("one at a time")
        return np.abs(rows - a).max(axis=1)

    space = Semimetric("near_by.alone", alone, lambda r: 1.0, many=True)
    assert distances(space, np.zeros(1), np.array([[1.0], [2.0]])).tolist() == [1.0, 2.0]
