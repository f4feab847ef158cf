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


SMALL: dict[str, Any] = {
    "practical_gmm": {"k": 2},
    "flights": {},
    "private_kmeans": {"k": 2},
    "practical_mixture": {"k": 2},
    "practical.locate": {},
    "tabular.mixed": {"k": 2, "levels": [2], "d": 3},
}


@pytest.mark.parametrize("name", SMALL)
def test_a_bound_whose_square_no_float_holds_is_refused(name: str) -> None:
    """A run came to a mixture of 0 after it had spent its budget, or covariances that float64 had rounded up."""
    for bound in (5e-324, 1e-310, 1e-200, 1e-150, 1e-100):
        with pytest.raises(DpframeError, match=rf"bound must be a number between 5e-91 and inf, not {bound!r}"):
            plan(name, bound=bound, **SMALL[name])
    for bound in (1e-90, 1e150):
        assert plan(name, bound=bound, **SMALL[name]).verdict.holds


def test_there_is_no_end_of_wide_bounds() -> None:
    assert plan("practical_gmm", k=2, bound=1e300).verdict.holds


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"k": 1025}, "^k must be at most 1024, not 1025"),
        ({"k_max": 65}, "^k_max must be at most 64, not 65"),
        ({"k": 0}, "^k must be a whole number of at least 1"),
    ],
)
def test_there_is_an_end_of_components(keys: Any, said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        plan("practical_mixture", bound=9.0, **keys)
