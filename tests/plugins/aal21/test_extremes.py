"""Accuracies and budgets so small that float64 holds no square of them."""

from __future__ import annotations

import pytest

from dpframe.api import REPLACE_ONE
from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs import load_spec
from dpframe.plugin import ApproxDP, Target
from dpframe_plugins.aal21.decoder_nodes import KnownList
from dpframe_plugins.aal21.dyadic import DyadicList, dyadic_net
from dpframe_plugins.aal21.sizing import FINEST, LEAST, check_accuracy, decoding_rows, selecting_rows


@pytest.mark.parametrize(("alpha", "beta"), [(1e-300, 0.1), (1e-160, 0.1), (1e-9, 0.1), (0.5, 1e-320)])
def test_an_accuracy_without_a_number_of_rows_is_refused(alpha: float, beta: float) -> None:
    """Planning ended in a division by zero, or an infinite number of rows."""
    with pytest.raises(SpecError, match="alpha must be in"):
        check_accuracy(2, alpha, beta)


def test_the_least_that_is_taken_has_a_number_of_rows() -> None:
    target = Target(REPLACE_ONE, ApproxDP(1e-9, 1e-300))
    check_accuracy(50, FINEST, LEAST)
    assert decoding_rows(50, 500, FINEST, 5e-20, known=False, target=target) > 0
    assert selecting_rows(2**62, FINEST, LEAST, target) > 0


DECODERS: dict[str, dict[str, object]] = {
    "known_decoder": {"sds": [1.0]},
    "gaussian_decoder": {},
    "axis_aligned_decoder": {},
    "joint_decoder": {},
    "dyadic_decoder": {},
}


@pytest.mark.parametrize("alpha", [5e-324, 1e-200, 1e-9, 9e-6])
@pytest.mark.parametrize("name", DECODERS)
def test_a_list_that_no_limit_allows_is_refused_by_the_plan(name: str, alpha: float) -> None:
    """Its nets were written out while planning, in any memory there was; less fine ones failed after spending."""
    budget = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "n": 4000, "d": 1}
    keys = {**budget, **DECODERS[name], "gamma": 0.5, "rows": 1000}
    with pytest.raises(DpframeError, match=rf"alpha = {alpha!r} asks for a list of more than 100000 Gaussians"):
        load_spec(f"aal21.{name}", {**keys, "alpha": alpha}).plan()
    assert load_spec(f"aal21.{name}", {**keys, "alpha": 0.5}).plan().verdict.holds


@pytest.mark.parametrize("alpha", [1.0, 0.3, 0.05, 0.01])
def test_the_least_length_of_a_list_is_one(alpha: float) -> None:
    told = {"alpha": alpha, "gamma": 0.5, "rows": 100, "limit": 10**7}
    for d in (1, 3):
        wanted = KnownList(**told, sds=[1.0] * d)
        assert wanted.shortest() <= min(len(wanted.wanted.known_net(d)), len(wanted.wanted.mean_net(d)))
        assert DyadicList(**told, d=d, low=-4).shortest() <= len(dyadic_net(alpha / d))
