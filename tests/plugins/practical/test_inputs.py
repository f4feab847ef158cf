"""What the steps of the practical mixture refuse before a row is read: components without end, bounds that are none."""

from __future__ import annotations

from typing import Any

import pytest

from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec

SIZES = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "n": 1000, "d": 2}


def plan(name: str, **keys: Any) -> Any:
    return load_spec(name, {**SIZES, **keys}).plan()


@pytest.mark.parametrize("bound", [0.0, -1.0, float("inf"), float("nan")])
@pytest.mark.parametrize(("name", "keys"), [("practical_mixture", {"k": 2}), ("practical.locate", {}), ("locate", {})])
def test_a_bound_is_a_radius(name: str, keys: Any, bound: float) -> None:
    with pytest.raises(DpframeError, match=r"bound.? must be"):
        plan(name, bound=bound, **keys)
    assert plan(name, bound=1e150, **keys).verdict.holds


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"k": 2**16 + 1}, "^k must be at most 65536, not 65537"),
        ({"k_max": 65}, "^k_max must be at most 64, not 65"),
        ({"k": 0}, "^k must be a whole number of at least 1"),
    ],
)
def test_there_is_an_end_of_components(keys: Any, said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        plan("practical_mixture", bound=9.0, **keys)
