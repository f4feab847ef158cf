"""Rows outside a ball end on its sphere in their own direction; those inside keep their bits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.within import Within
from dpframe.proof.spaces import BallValue

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)
RADII = st.floats(min_value=2.0**-500, max_value=2.0**1000)


def image(rows: Any, centre: Any, radius: float) -> Any:
    rows = np.atleast_2d(np.asarray(rows, dtype=np.float64))
    ball = BallValue(np.asarray(centre, dtype=np.float64), radius)
    return Within().apply(Batch(0, rows, np.ones(len(rows), dtype=bool)), ball).values


@given(st.lists(st.tuples(FINITE, FINITE, FINITE), min_size=1, max_size=9), RADII)
def test_rows_end_inside_and_those_inside_stay(rows: Any, radius: float) -> None:
    found = image(rows, np.zeros(3), radius)
    assert np.isfinite(found).all()
    for row, seen in zip(np.asarray(rows), found, strict=True):
        length = sum(Fraction(float(v)) ** 2 for v in row)
        bound = Fraction(radius) ** 2
        if length <= bound * (1 - Fraction(1, 2**40)):
            assert seen.tobytes() == row.tobytes()
        elif length > bound * (1 + Fraction(1, 2**40)):
            ended = sum(Fraction(float(v)) ** 2 for v in seen)
            assert abs(ended - bound) <= bound * Fraction(1, 10**9)
            scale = max(abs(Fraction(float(v))) for v in row)
            direction = np.array([float(Fraction(float(v)) / scale) for v in row])
            assert seen / radius == pytest.approx(direction / np.linalg.norm(direction), abs=1e-12)


@given(st.lists(FINITE, min_size=6, max_size=6), st.sampled_from([1.0, 1e150, 1e-150, 1e-162, 1e300]))
def test_one_row_by_itself_has_the_bits_it_has_among_others(numbers: list[float], radius: float) -> None:
    rows = np.array(numbers).reshape(3, 2)
    together = image(rows, np.zeros(2), radius)
    for order in (rows.copy(order="F"), rows[::-1]):
        assert set(map(bytes, image(order, np.zeros(2), radius))) == set(map(bytes, together))
    alone = np.concatenate([image(row, np.zeros(2), radius) for row in rows])
    assert alone.tobytes() == together.tobytes()


def test_a_centre_elsewhere() -> None:
    found = image([[11.0, 20.0], [10.0, 99.0], [-1.7e308, 20.0]], [10.0, 20.0], 4.0)
    assert found == pytest.approx(np.array([[11.0, 20.0], [10.0, 24.0], [6.0, 20.0]]))
