"""The one bisection: bracketed from both sides, in either direction, never on the wrong side."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.proof.roots import arithmetic, boundary, geometric

NUMBERS = st.floats(1e-300, 1e300)


@given(a=NUMBERS, b=NUMBERS, at=st.floats(0, 1), relative=st.sampled_from([0.0, 1e-15, 1e-6, 0.1]))
@pytest.mark.parametrize("middle", [arithmetic, geometric])
def test_the_ends_close_in_on_the_change(middle, a: float, b: float, at: float, relative: float) -> None:
    change = min(a, b) * (1 - at) + max(a, b) * at
    holds = (lambda x: x <= change) if a <= b else (lambda x: x >= change)
    inside, outside = boundary(holds, a, b, relative=relative, middle=middle)
    assert inside == a or holds(inside)
    assert outside == b or not holds(outside)
    narrow = max(relative, 4 * 2.0**-52) * max(inside, outside)
    assert abs(outside - inside) <= max(narrow, 2 * math.ulp(0.0))


def test_steps_are_counted_and_neighbours_end_it() -> None:
    asked: list[float] = []
    assert boundary(lambda x: bool(asked.append(x)), 0.0, 1.0, steps=7)[1] == 2.0**-7
    assert len(asked) == 7
    assert boundary(lambda x: False, 1.0, math.nextafter(1.0, 2.0)) == (1.0, math.nextafter(1.0, 2.0))
