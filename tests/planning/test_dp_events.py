"""Losses as events of dp-accounting: whatever its accountants make of them is never below our own."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.planning.discrete_events import DiscreteGaussian, DiscreteLaplace
from dpframe.planning.dp_events import to_dp_event
from dpframe.planning.sampled_events import SampledGaussian
from dpframe.planning.sealing import Certificate
from dpframe.proof.losses import (
    ApproxDP,
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    LatticeGaussian,
    Loss,
    Pure,
    Renyi,
    Worst,
    tightest_epsilon,
)

accounting: Any = pytest.importorskip("dp_accounting")
pld: Any = pytest.importorskip("dp_accounting.pld")
rdp: Any = pytest.importorskip("dp_accounting.rdp")
DELTA = 1e-6
GRID = 1e-3
"""How far their numbers are above the exact ones at most: losses are rounded up to a grid of 1e-4."""


def theirs(event: Any, accountant: Any = None) -> float:
    made = accountant or pld.PLDAccountant()
    return float(made.compose(event).get_epsilon(DELTA))


@pytest.mark.parametrize(
    ("event", "times"),
    [
        (Gaussian(0.25), 1),
        (Gaussian(0.05), 30),
        (Laplace(0.5), 3),
        (DiscreteLaplace(3, 7.5), 4),
        (DiscreteLaplace(2**40, 2.0**41), 4),
        (Pure(0.3), 5),
    ],
    ids=repr,
)
def test_what_has_a_counterpart_costs_the_same(event: Event, times: int) -> None:
    loss = Loss.of(event, times)
    ours = tightest_epsilon(loss, DELTA)[0]
    assert ours - GRID <= theirs(to_dp_event(loss)) <= ours + GRID


@pytest.mark.parametrize(
    "loss",
    [
        Loss.of(BoundedRange(0.3), 5),
        Loss.of(Worst((((Gaussian(0.1), 1),), ((Laplace(0.1), 1),)))),
        Loss([(Gaussian(0.1), 2), (Laplace(0.1), 1), (Pure(0.05), 2)]),
    ],
    ids=repr,
)
def test_others_cost_no_less(loss: Loss) -> None:
    assert theirs(to_dp_event(loss)) >= tightest_epsilon(loss, DELTA)[0] - GRID


def test_sampled_ones_are_sampled() -> None:
    """Their pair is not symmetric, so that it is a little cheaper than ours."""
    loss = Loss.of(SampledGaussian(0.5, 0.1, "add_remove"), 3)
    ours = tightest_epsilon(loss, DELTA)[0]
    assert 0.9 * ours < theirs(to_dp_event(loss)) <= ours + GRID


@pytest.mark.parametrize(
    "event", [Concentrated(0.02), DiscreteGaussian(3, 20.0), LatticeGaussian(0.1)], ids=lambda e: e.kind
)
def test_what_is_known_by_rho_goes_to_the_rdp_accountant(event: Event) -> None:
    loss = Loss([(event, 2), (Pure(0.05), 1), (Laplace(0.1), 1), (DiscreteLaplace(3, 30.0), 1)])
    made = to_dp_event(loss)
    assert theirs(made, rdp.RdpAccountant()) >= tightest_epsilon(loss, DELTA)[0]


def test_fine_lattices_stand_below_their_laplace() -> None:
    """docs of the module: the discrete profile is at most that of Laplace noise of ε + 1/4b²."""
    at = np.linspace(-3.0, 3.0, 4001)
    for shift, scale in ((1, 0.7), (2, 1.0), (3, 1.3), (1000, 900.0)):
        event = DiscreteLaplace(shift, scale)
        above = Laplace(event.epsilon + 0.25 / scale**2).profile(at)
        below = event.profile(at)
        assert above is not None
        assert below is not None
        assert np.all(below <= above + 1e-12)


def test_a_delta_of_its_own_is_not_dropped_unsaid() -> None:
    loss = Loss.of(Gaussian(0.1), delta=1e-7)
    with pytest.raises(dp.PlanError, match="without_delta=True"):
        to_dp_event(loss)
    assert theirs(to_dp_event(loss, without_delta=True)) > 0


def test_what_nothing_is_known_of_is_refused() -> None:
    with pytest.raises(dp.PlanError, match="renyi"):
        to_dp_event(Loss.of(Renyi((2.0, 3.0), (0.1, 0.2))))


def test_nothing_spent_is_nothing() -> None:
    assert theirs(to_dp_event(Loss(()))) == 0.0


def test_without_dp_accounting_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(dp.PlanError, match="pip install dp-accounting"):
        to_dp_event(Loss.of(Gaussian(0.1)))


def test_plans_results_and_certificates_say_the_same() -> None:
    def mean(x: dp.Handle) -> dp.Handle:
        inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))

    plan = dp.plan(mean, x=dp.rows(n=500, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, DELTA))
    assert isinstance(plan.budget, ApproxDP)
    result = plan.run(np.zeros((500, 2)))
    assert plan.to_dp_event() == result.to_dp_event() == Certificate(result.certificate).to_dp_event()
    assert abs(theirs(plan.to_dp_event()) - plan.spent["epsilon"]) < GRID
