"""Plans side by side, and privacy curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.proof.losses.gaussian import gaussian_delta
from tests.planning.examples import simple_mean


def plan_of(epsilon: float, adjacency: Any = dp.REPLACE_ONE) -> Any:
    return dp.plan(simple_mean, x=dp.rows(n=900, d=2), adjacency=adjacency, budget=dp.approx_dp(epsilon, 1e-6))


def test_the_curve_of_one_gaussian_is_its_profile_and_passes_through_the_budget() -> None:
    planned = plan_of(1.0)
    found = planned.curve([0.1, 1.0, 3.0])
    for epsilon, delta in found["gdp"]:
        assert delta == pytest.approx(gaussian_delta(planned.loss.mu, epsilon), rel=1e-9)
    assert found["tightest"][1][1] == pytest.approx(1e-6, rel=1e-4)
    for name, points in found.items():
        deltas = [delta for _, delta in points]
        assert deltas == sorted(deltas, reverse=True), name
        assert all(best <= delta for (_, best), delta in zip(found["tightest"], deltas, strict=True))
    assert planned.curve(np.array([0.1, 1.0, 3.0])) == found
    for wrong in ([], [-1.0], [float("nan")], np.empty(0), 3, "a"):
        with pytest.raises(dp.PlanError, match="privacy curve"):
            planned.curve(wrong)


@pytest.mark.parametrize("delta", [1, 2.0, -1e-9, float("nan"), float("inf"), "a", True])
def test_a_delta_that_is_none_has_no_epsilon(delta: Any) -> None:
    """At 2 it was 0.0, as if nothing were spent."""
    planned = plan_of(1.0)
    for ask in (planned.epsilon, lambda d: planned.epsilon(d, accountant="gdp")):
        with pytest.raises(dp.PlanError, match="a delta is a number from 0 to below 1"):
            ask(delta)
    assert planned.epsilon(np.float64(1e-6)) == pytest.approx(1.0, rel=1e-4)


def test_two_plans_side_by_side() -> None:
    found = plan_of(1.0).compare(plan_of(2.0))
    ((name, mine, theirs),) = found.noise
    assert name == "mean"
    assert mine is not None
    assert theirs is not None
    assert 1.5 < mine / theirs < 2.5
    assert found.same_relation
    assert "can't be compared" in str(plan_of(1.0).compare(plan_of(1.0, dp.Edits(3, 3))))
    assert plan_of(1.0).compare(plan_of(1.0)).noise == ()
    with pytest.raises(dp.PlanError, match="compared with a plan"):
        plan_of(1.0).compare("other")


def test_a_comparison_is_for_a_number_of_rows() -> None:
    """A wrong one was taken for none, and the comparison had no errors."""
    planned, other = plan_of(1.0), plan_of(2.0)
    for rows in ("a", 0, -3, 1.5):
        with pytest.raises(dp.PlanError, match="a whole number of rows"):
            planned.compare(other, rows=rows)
    unknown = dp.plan(simple_mean, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.approx_dp(1.0, 1e-6))
    assert unknown.compare(unknown).errors == {}
    assert unknown.compare(unknown, rows=900).errors
