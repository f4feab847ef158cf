"""Accuracies and budgets so small that float64 holds no square of them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dpframe.api import REPLACE_ONE
from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs import load_spec
from dpframe.plugin import ApproxDP, Target
from dpframe_plugins.aal21.decoder_nodes import JointList, KnownList
from dpframe_plugins.aal21.dyadic import DyadicList, dyadic_net
from dpframe_plugins.aal21.lists import heavy_bins
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


KNOWN: dict[str, dict[str, object]] = {
    "independent columns": {"sigma": 0.3},
    "a covariance": {"covariance": [[0.09, 0.03], [0.03, 0.09]]},
}


def around_two(n: int = 4000) -> np.ndarray:
    rng = np.random.default_rng(5)
    return 2.0 * np.where(rng.random((n, 1)) < 0.5, 1.0, -1.0) + 0.3 * rng.normal(size=(n, 2))


@pytest.mark.parametrize("far", [8e300, -1.7e308])
@pytest.mark.parametrize("case", KNOWN)
def test_rows_beyond_all_bins_are_no_place_of_a_component(case: str, far: float) -> None:
    """They were counted in the outermost bins, and components released there: at 2e16, with rows at 8e300."""
    plan = load_spec("aal21_known_covariance", {"n": 4000, "d": 2, "k": 2, **KNOWN[case]}).plan()
    rows = around_two()
    rows[::2] = far
    rows[1::4] = -far
    result = plan.run(x=rows, simulate=1)
    assert result.status == "failed"
    assert result.reason == "most rows of a column lie farther from 0 than 2^52 of its bins"
    rows = around_two()
    rows[::10] = far
    result = plan.run(x=rows, simulate=1)
    assert result.status == "released"
    means = result["mixture"].means
    np.testing.assert_allclose(means[np.argsort(means[:, 0])], [[-2.0, -2.0], [2.0, 2.0]], atol=0.2)


def test_a_decoder_lists_nothing_at_the_outermost_bins() -> None:
    """By the paper's too, of one column and of product bins."""
    assert heavy_bins([-(2**52), 3, 2**52], [90.0, 90.0, 90.0], 50.0, 5) == [3]
    cells = SimpleNamespace(ids=np.array([[2**52, 0], [1, 2]]), counts=np.array([900.0, 900.0]))
    listed = JointList(alpha=1.0, gamma=0.5, rows=1000, d=2).apply(np.array([[0.0, 0.0, 1.0, 1.0]]), [cells])
    assert max(float(np.abs(one.mean).max()) for one in listed) < 10.0
