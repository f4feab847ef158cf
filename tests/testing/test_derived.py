"""Limits that numbers of the code make together, and what is refuted at them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.testing.battery import derived


@given(st.floats(2.5, 1e4), st.floats(2.0, 1e4))
def test_where_a_line_a_square_and_a_cube_meet_a_limit(slope: float, limit: float) -> None:
    if slope == limit:
        return
    places = derived.places([slope, limit])
    larger, smaller = max(slope, limit), min(slope, limit)
    for expected in (larger / smaller, math.sqrt(limit), limit ** (1 / 3), larger - smaller, larger + smaller):
        assert expected in (slope, limit) or any(math.isclose(expected, x) for x in places)


def test_where_a_line_that_does_not_begin_at_0_meets_a_limit() -> None:
    assert any(math.isclose(x, (451 - 32) / 1.8) for x in derived.places([451.0, 32.0, 1.8]))


@pytest.mark.parametrize(
    "numbers", [[], [0.0], [1e300, 1e-300], [math.inf], [-3.0, 3.0], [float(i) for i in range(400)]]
)
def test_there_are_few_and_all_are_finite(numbers: list[float]) -> None:
    places = derived.places(numbers)
    assert len(places) <= derived.MOST
    assert all(0 < abs(x) < derived.LARGEST for x in places)
    assert len({*places}) == len(places)


def test_totals_are_at_the_limit_and_one_row_passes_it() -> None:
    found = {words: (others, row) for words, others, row, _ in derived.totals(2, [10.0, 12.0, 3e6])}
    others, row = found["25000 rows of 10"]
    assert others.shape == (25_000, 2)
    assert others[:, 0].sum() == 250_000
    assert (np.concatenate([others, row])[:, 0].sum() * 12) > 3e6
    assert all(len(others) <= derived.LONGEST for others, _ in found.values())
