"""Shares to noise: never above the budget, and near it; how the total is split."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.planning.refusing import describe_loss
from dpframe.planning.verdicts import verdict
from dpframe.proof.losses import ApproxDP
from tests.papers.skeletons.stubs import ball, planned, state
from tests.steps import within

KINDS = ("gaussian", "laplace", "exponential_mechanism", "above_threshold", "discrete_gaussian", "permute_and_flip")
SHARES = st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from([0.01, 0.3, 1.0, 5.0])), min_size=1, max_size=5)


def releases(shares: list[tuple[str, float]], **more: Any) -> Callable[[Handle], Handle]:
    def program(x: Handle) -> Handle:
        out = []
        for i, (kind, share) in enumerate(shares):
            extra = {"threshold": 3.0} if kind == "above_threshold" else {}
            mechanism = dp.build(kind, {"share": share, **extra, **more})
            out.append(dp.release(f"m{i}", mechanism, dp.count(x)))
        return state(*out)

    return program


def spent(plan: Any) -> float:
    key = next(k for k in ("epsilon", "rho", "mu") if k in plan.verdict.spent)
    return float(plan.verdict.spent[key] / getattr(plan.budget, key))


GAUSSIANS = [("gaussian", 1.0), ("gaussian", 0.25), ("gaussian", 3.0)]


@pytest.mark.parametrize("size", [1e-3, 0.1, 1.0, 10.0, 300.0])
@pytest.mark.parametrize(
    "make", [lambda v: dp.approx_dp(epsilon=v, delta=1e-6), lambda v: dp.gdp(mu=v), lambda v: dp.zcdp(rho=v)]
)
def test_gaussians_meet_the_budget_to_a_millionth(make: Callable[[float], Any], size: float) -> None:
    plan = planned(releases(GAUSSIANS), budget=make(size))
    assert 1 - 1e-6 <= spent(plan) <= 1
    assert plan.verdict == verdict(plan.budget, plan.loss)


@pytest.mark.parametrize("delta", [1e-12, 1e-3, 0.2, 0.9])
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_odd_deltas_too(epsilon: float, delta: float) -> None:
    """Where δ is large, ε falls steeply in the noise: the gap is measured in ε itself."""
    plan = planned(releases(GAUSSIANS), budget=dp.approx_dp(epsilon=epsilon, delta=delta))
    assert 1 - 1e-6 <= spent(plan) <= 1


@given(shares=SHARES, rho=st.sampled_from([1e-3, 0.5, 20.0]))
@settings(max_examples=25)
def test_zcdp_plans_meet_the_budget(shares: list[tuple[str, float]], rho: float) -> None:
    assert 1 - 1e-6 <= spent(planned(releases(shares), budget=dp.zcdp(rho=rho))) <= 1


@given(shares=SHARES, epsilon=st.sampled_from([0.05, 1.0, 8.0]))
@settings(max_examples=15)
def test_mixed_plans_meet_the_budget(shares: list[tuple[str, float]], epsilon: float) -> None:
    plan = planned(releases(shares), budget=dp.approx_dp(epsilon=epsilon, delta=1e-6))
    slack = 5e-3 if plan.verdict.accountant == "pld" else 1e-6
    assert 1 - slack <= spent(plan) <= 1


def test_pure_plans_meet_the_budget() -> None:
    plan = planned(releases([("laplace", 1.0), ("exponential_mechanism", 2.0)]), budget=dp.pure_dp(epsilon=0.7))
    assert 1 - 1e-6 <= spent(plan) <= 1
    assert plan.loss.delta == 0


def test_shares_are_weights_of_rho() -> None:
    plan = planned(
        releases([("gaussian", 1.0), ("gaussian", 4.0), ("laplace", 1.0), ("exponential_mechanism", 1.0)]),
        budget=dp.zcdp(rho=0.1),
    )
    sigma = {path[0]: c.get("sigma") for path, c in plan.calibrations.items()}
    assert sigma["m0"] == pytest.approx(2 * sigma["m1"])
    rho = 0.5 / sigma["m0"] ** 2
    assert plan.calibrations["m2",]["scale"] == pytest.approx(1 / math.sqrt(2 * rho))
    assert plan.calibrations["m3",]["rate"] == pytest.approx(math.sqrt(8 * rho) / 2)


def test_only_ratios_of_shares_matter() -> None:
    one = planned(releases([("gaussian", 1.0), ("laplace", 3.0)]), budget=dp.zcdp(rho=0.1))
    same = planned(releases([("gaussian", 10.0), ("laplace", 30.0)]), budget=dp.zcdp(rho=0.1))
    assert one.calibrations["m0",]["sigma"] == pytest.approx(same.calibrations["m0",]["sigma"], rel=1e-6)


def test_fixed_noise_beside_shares() -> None:
    def program(x: Handle) -> Handle:
        a = dp.release("fixed", dp.gaussian(noise_multiplier=20.0), dp.count(x))
        return state(a, dp.release("shared", dp.gaussian(share=1.0), dp.count(x)))

    plan = planned(program, budget=dp.gdp(mu=0.5))
    assert plan.calibrations["fixed",]["sigma"] == pytest.approx(20.0)
    assert plan.calibrations["shared",]["sigma"] == pytest.approx(1 / math.sqrt(0.25 - 0.05**2), rel=1e-6)


def test_fixed_noise_that_fits_is_left_alone() -> None:
    plan = planned(lambda x: dp.release("n", dp.gaussian(noise_multiplier=10.0), dp.count(x)), budget=dp.gdp(mu=0.5))
    assert plan.loss.mu == pytest.approx(0.1)
    assert plan.verdict.spent["mu"] == pytest.approx(0.1)


def test_a_mixed_plan_is_solved_in_few_steps() -> None:
    """Gaussian, Laplace, exponential, threshold and histogram with a partition."""

    def program(x: Handle) -> Handle:
        near, far = dp.transform("filter_ball", x, ball(2))
        seen = [dp.release(f"g{i}", dp.gaussian(share=1.0 + i), dp.count(x)) for i in range(10)]
        seen += [dp.release(f"l{i}", dp.laplace(share=1.0 + i), dp.count(p)) for i, p in enumerate((x, near, far))]
        seen += [dp.release(f"e{i}", dp.exponential_mechanism(share=1.0 + i), dp.count(x)) for i in range(3)]
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.1)
        return state(*seen, dp.release("h", mechanism, dp.transform("cells", x, state(), levels=3)))

    plan = within(3_000_000, lambda: planned(program, budget=dp.approx_dp(epsilon=1.0, delta=1e-6)))
    assert 1 - 5e-3 <= spent(plan) <= 1


# ----------------------------------------------------------------------------------------- δ


def test_delta_is_split_explicitly() -> None:
    def program(x: Handle) -> Handle:
        near, far = dp.transform("filter_ball", x, ball(2))
        first = dp.stable_histogram(share=1.0, delta_fraction=0.2)
        second = dp.truncated_laplace_test(share=1.0, threshold=5.0, delta_fraction=0.1)
        return state(
            dp.release("h", first, dp.transform("cells", x, state(), levels=1)),
            dp.release("near", second, dp.count(near)),
            dp.release("far", second, dp.count(far)),
        )

    plan = planned(program, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    # a row that crosses changes both tests: their δ's compose
    assert plan.loss.delta == pytest.approx(4e-7, rel=1e-12)
    assert dict(plan.delta_split) == pytest.approx({"h": 2e-7, "near": 1e-7, "far": 1e-7, "conversion": 6e-7}, rel=1e-9)
    assert sum(plan.delta_split.values()) == pytest.approx(1e-6, rel=1e-12)


def test_no_delta_no_split() -> None:
    assert dict(planned(releases(GAUSSIANS), budget=dp.zcdp(rho=1.0)).delta_split) == {}
    assert dict(planned(releases(GAUSSIANS), budget=dp.approx_dp(epsilon=1.0, delta=1e-6)).delta_split) == {
        "conversion": 1e-6
    }


# ------------------------------------------------------------------------------ views of a plan


def test_other_views_of_the_composed_loss() -> None:
    plan = planned(releases(GAUSSIANS), budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    assert plan.epsilon(delta=1e-6) == plan.verdict.spent["epsilon"]
    assert plan.epsilon(delta=1e-9) > 1 > plan.epsilon(delta=1e-3)
    assert plan.epsilon(delta=1e-6, accountant="zcdp") > 1
    with pytest.raises(dp.PlanError, match="unknown accountant"):
        plan.epsilon(delta=1e-6, accountant="guess")
    assert all({"type", "times"} <= set(event) for event in plan.events())
    assert isinstance(plan.budget, ApproxDP)


def test_losses_in_few_words() -> None:
    plan = planned(releases([("gaussian", 1.0), ("laplace", 1.0), ("discrete_gaussian", 1.0)]), budget=dp.zcdp(rho=1.0))
    words = [describe_loss(plan.node_loss(path)) for path in plan.calibrations]
    assert [w[0] for w in words] == ["μ", "ε", "ρ"]
    from dpframe.proof.losses import ZERO, Gaussian, Loss

    assert describe_loss(ZERO) == "0"
    assert describe_loss(Loss.of(Gaussian(0.5), 3, 1e-7)) == "3×(μ=0.5) + δ=1e-07"
