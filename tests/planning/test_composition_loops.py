"""Loops: any number of items stays within the total, in every view, nested or among parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.errors import CertificateError
from dpframe.front.program import Handle
from dpframe.planning import composition
from dpframe.proof.losses import Concentrated, Loss, Pure, amplify
from dpframe.proof.spaces import ListOf, Record, Vector
from dpframe.proof.theorems import fixed_total, histogram_threshold
from dpframe.runtime.gate import admit
from dpframe.runtime.guard import Guard
from tests.papers.skeletons.stubs import ball, flag, planned, state, stub

ITEMS = ListOf(Record("item"), 1000)


def loop(x: Handle, body: Callable[..., Any], *, share: float = 1.0, view: str = "gdp", name: str = "loop") -> Handle:
    return dp.for_each(name, stub(ITEMS), body, x, share=share, max_length=1000, view=view)


@pytest.mark.parametrize("view", ["gdp", "zcdp"])
@pytest.mark.parametrize(
    ("kind", "statistic"),
    [
        ("laplace", dp.count),
        ("gaussian", dp.count),
        ("exponential_mechanism", dp.count),
        ("permute_and_flip", dp.count),
    ],
)
@pytest.mark.parametrize("budget", [0.01, 1.0, 30.0])
def test_any_number_of_items_stays_within_the_total(view: str, kind: str, statistic: Any, budget: float) -> None:
    """Each of L items at (ρ/L): their composed loss, in the loop's view, is below what was reserved, for every L."""

    def program(x: Handle) -> Handle:
        return loop(x, lambda i, r: dp.release("m", dp.build(kind, {"share": 1.0}), statistic(r)), view=view)

    plan = planned(program, budget=dp.zcdp(rho=budget) if view == "zcdp" else dp.gdp(mu=budget))
    weighing = plan.weighings["loop", "body", "m"]
    mechanism = weighing.site.mechanism
    rho = mechanism.rho(plan.factor * weighing.multiplier)
    seen = []
    for length in (1, 2, 3, 10, 100, 1000, 100_000):
        calibration = mechanism.calibrate(rho / length, 0.0, weighing.worst, weighing.site.domain)
        item = mechanism.loss(calibration, weighing.worst, weighing.site.domain)
        spent = length * item.rho if view == "zcdp" else math.sqrt(length) * item.mu
        reserved = plan.loss.rho if view == "zcdp" else plan.loss.mu
        assert spent <= reserved, length
        seen.append(spent)
    assert max(seen) > 0.95 * (plan.loss.rho if view == "zcdp" else plan.loss.mu)


def test_what_one_item_costs_is_not_enough_for_many() -> None:
    """The literal reserve, ρ or μ of one item at the whole share, is exceeded: pure ε is not quadratic."""
    one = Pure(4.0)
    assert 16 * Pure(1.0).rho > one.rho * 1.5
    assert math.sqrt(16) * Pure(1.0).mu > one.mu * 1.1
    assert fixed_total(Loss.of(one), "zcdp").rho >= 16 * Pure(1.0).rho
    assert fixed_total(Loss.of(one), "gdp").mu >= math.sqrt(16) * Pure(1.0).mu


def test_an_alternative_that_only_many_items_make_dear_is_not_dropped() -> None:
    """ρ of one Laplace release may lie below that of a discrete Gaussian, and that of many above it."""

    def program(x: Handle) -> Handle:
        def body(item: Handle, rows: Handle) -> Handle:
            return dp.branch("b", flag(item), smooth, sharp, rows)

        def smooth(rows: Handle) -> Handle:
            return state(dp.release("g", dp.build("discrete_gaussian", {"share": 0.9}), dp.count(rows)))

        def sharp(rows: Handle) -> Handle:
            return state(dp.release("l", dp.laplace(share=1.0), dp.count(rows)))

        return loop(x, body, view="zcdp")

    plan = planned(program, budget=dp.zcdp(rho=2.0))
    shares = {path[-1]: plan.factor * w.multiplier * w.site.mechanism.share for path, w in plan.weighings.items()}
    one = math.sqrt(2 * shares["l"])
    assert Concentrated(shares["g"]).rho > Pure(one).rho  # dominated for one item
    dear = 1000 * Pure(one / math.sqrt(1000)).rho
    assert dear > shares["g"]  # and not for a thousand
    assert plan.loss.rho >= dear


def test_pure_view_divides_epsilon() -> None:
    def program(x: Handle) -> Handle:
        return loop(x, lambda i, r: dp.release("l", dp.laplace(share=1.0), dp.count(r)), view="pure")

    plan = planned(program, budget=dp.pure_dp(epsilon=2.0))
    assert plan.loss.epsilon == pytest.approx(2.0, rel=1e-6)
    assert plan.calibrations["loop", "body", "l"]["scale"] == pytest.approx(0.5, rel=1e-6)


def test_shares_inside_a_loop_divide_what_the_loop_buys() -> None:
    def program(x: Handle) -> Handle:
        def body(item: Handle, rows: Handle) -> Handle:
            a = dp.release("a", dp.gaussian(share=3.0), dp.count(rows))
            b = loop(rows, lambda i, r: dp.release("c", dp.gaussian(share=17.0), dp.count(r)), share=1.0, name="inner")
            return state(a, b)

        return state(loop(x, body, share=2.0), dp.release("d", dp.gaussian(share=2.0), dp.count(x)))

    plan = planned(program, budget=dp.zcdp(rho=1.0))
    rho = {path[-1]: 0.5 / plan.calibrations[path]["sigma"] ** 2 for path in plan.calibrations}
    assert rho == pytest.approx({"d": 0.5, "a": 0.375, "c": 0.125}, rel=1e-6)


def test_delta_of_a_loop_is_charged_once() -> None:
    def program(x: Handle) -> Handle:
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.25)
        return loop(x, lambda i, r: dp.release("h", mechanism, dp.transform("cells", r, state(), levels=2)))

    plan = planned(program, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    assert plan.loss.delta == pytest.approx(2.5e-7, rel=1e-9)
    assert sum(plan.delta_split.values()) == pytest.approx(1e-6, rel=1e-12)


def test_loops_inside_parts_and_parts_inside_loops() -> None:
    def program(x: Handle) -> Handle:
        near, far = dp.transform("filter_ball", x, ball(2))

        def body(item: Handle, rows: Handle) -> Handle:
            a, b = dp.transform("filter_ball", rows, ball(2), name="inner")
            return state(
                dp.release("a", dp.gaussian(share=1.0), dp.count(a)),
                dp.release("b", dp.gaussian(share=1.0), dp.count(b)),
            )

        one = loop(near, body, share=1.0, name="one")
        return state(one, dp.release("far", dp.gaussian(share=1.0), dp.count(far)))

    plan = planned(program, budget=dp.zcdp(rho=1.0))
    # a count moves by one under every edit: (1,1) in near may change both inner parts; crossing: one of them, and far
    a = 0.5 / plan.calibrations["one", "body", "a"]["sigma"] ** 2
    far = 0.5 / plan.calibrations["far",]["sigma"] ** 2
    assert plan.loss.rho == pytest.approx(max(2 * a, a + far), rel=1e-9)


@dp.post_function(name="loops.fifty", gives=ListOf(Vector(1), 50))
def fifty(values: Any) -> Any:
    """Fifty items."""
    return [np.zeros(1) for _ in range(50)]


@dp.post_function(name="loops.shown", gives=Vector(1))
def shown(*found: Any) -> Any:
    """How many cells of three histograms are shown."""
    return np.array([float(sum(len(cells.ids) for cells in found))])


@dp.program
def sampled_histograms(x: Handle) -> Handle:
    """In each item a sample of its own, of which three stable histograms are released."""

    def body(item: Handle, rows: Handle) -> Handle:
        (sample,) = dp.subsample(rows, rate=0.4)
        cells = dp.transform("column_cells", sample, dp.constant(np.array([[0.0, 0.0, 1.0]])), levels=1)
        kind = dp.stable_histogram(share=1.0, noise="laplace", delta_fraction=0.8)
        return shown(*(dp.release(f"h{j}", kind, cells) for j in range(3)))

    items = fifty(dp.constant(np.zeros(1)))
    return dp.for_each("loop", items, body, x, share=1.0, max_length=50, view="pure")


def sampling_plan() -> Any:
    budget = dp.approx_dp(epsilon=0.05, delta=0.2)
    return dp.plan(sampled_histograms, x=dp.rows(n=None, d=1), adjacency=dp.ADD_REMOVE, budget=budget)


def test_samples_in_a_loop_show_a_row_with_no_more_than_delta() -> None:
    """A cell of one row alone is never shown without it, and with it no more often than δ, whatever ε is: exactly.

    As the gate admits the items: each histogram of each item draws with the noise that the guard charges it for.
    """
    plan = sampling_plan()
    admitted = admit(plan, simulated=False)
    guard, share = Guard.of(admitted.checked), Fraction(1, 50)
    stay = 1.0
    for j in range(3):
        path = ("loop", "body", f"h{j}")
        noise = admitted.proposed(path, share)
        for i in range(50):
            guard.charge(path, (f"item{i}",), noise, share)
        over = histogram_threshold("laplace", noise["scale"], 1, noise["delta"]) / noise["scale"]
        stay *= 1 - math.exp(-over) / (1 + math.exp(-1 / noise["scale"]))  # 1 + Z > τ, Z of the discrete Laplace law
    seen = 1 - (1 - 0.4 + 0.4 * stay) ** 50
    body = 1 - (1 - plan.loss.delta) ** (1 / 0.4)
    assert 0.4 * body < seen <= plan.loss.delta  # what one sample of the body costs would be too little


def test_a_planner_that_charges_them_a_share_of_their_failure_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "amplify", lambda loss, rate, **_: amplify(loss, rate))
    with pytest.raises(CertificateError, match="not what its nodes compose to"):
        sampling_plan().run(x=np.zeros((1, 1)))
