"""Totals: accountants, budgets without defaults, refusals that name the most expensive node, warnings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Kind, Rows
from dpframe.proof.typed import Edge
from tests.papers.skeletons.stubs import planned, state
from tests.planning.graphs import BUDGET, COUNT, OUT, graph, noisy, refused


def test_8_the_tightest_accountant_is_named() -> None:
    gaussians = planned(lambda x: dp.release("g", dp.gaussian(share=1.0), dp.count(x)), budget=BUDGET)
    assert gaussians.verdict.accountant == "gdp"
    laplace = planned(noisy, budget=BUDGET)
    assert laplace.verdict.accountant in ("basic", "rdp", "pld")
    both = planned(
        lambda x: state(noisy(x), *(dp.release(f"g{i}", dp.gaussian(share=1.0), dp.count(x)) for i in range(3))),
        budget=BUDGET,
    )
    assert both.verdict.accountant == "pld"
    assert planned(noisy, budget=dp.zcdp(rho=0.1)).verdict.accountant == "zcdp"
    assert planned(noisy, budget=dp.pure_dp(epsilon=0.1)).verdict.accountant == "basic"
    assert (
        planned(
            lambda x: dp.release("g", dp.gaussian(share=1.0), dp.count(x)), budget=dp.gdp(mu=1.0)
        ).verdict.accountant
        == "gdp"
    )


@pytest.mark.parametrize("budget", [None, 1.0, {"epsilon": 1.0}, "epsilon=1"])
def test_9_a_budget_has_no_default(budget: Any) -> None:
    refused(graph(COUNT, OUT), r"budget must be a privacy budget", budget=budget)


@pytest.mark.parametrize("adjacency", ["replace", "", "bounded"])
def test_9_an_adjacency_has_no_default(adjacency: str) -> None:
    refused(graph(COUNT, OUT), r"unknown adjacency .*use one of add_remove, replace_one", adjacency=adjacency)


def fixed(*multipliers: float) -> Callable[[Handle], Handle]:
    return lambda x: state(
        *(dp.release(f"c{i}", dp.gaussian(noise_multiplier=m), dp.count(x)) for i, m in enumerate(multipliers))
    )


def test_9_a_refusal_names_the_most_expensive_node_and_a_change_that_fits() -> None:
    refused(
        fixed(50.0, 0.5, 20.0),
        r"expensive node is 'c1', at μ=2.*raise epsilon to 11\.\d+, or raise the noise_multiplier of 'c1' from 0\.5",
    )
    with pytest.raises(dp.BudgetError) as caught:
        planned(fixed(50.0, 0.5, 20.0), budget=BUDGET)
    epsilon, multiplier = (
        float(re.findall(pattern, str(caught.value))[0]) for pattern in (r"n to ([\d.]+)", r"5 to ([\d.]+)")
    )
    assert planned(fixed(50.0, multiplier, 20.0), budget=BUDGET).verdict.holds
    assert planned(fixed(50.0, 0.5, 20.0), budget=dp.approx_dp(epsilon=epsilon, delta=1e-6)).verdict.holds
    refused(fixed(50.0, multiplier * 0.99, 20.0), r"most expensive node is 'c1'")  # and it is the smallest


def test_9_where_no_change_of_one_node_fits() -> None:
    refused(fixed(0.5, 0.5), r"noise_multiplier of 'c[01]' from 0\.5 and that of others")


def test_9_delta_is_spent_by_thresholds() -> None:
    def program(x: Handle) -> Handle:
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.4)
        return state(*(dp.release(f"h{i}", mechanism, dp.transform("cells", x, state(), levels=1)) for i in range(3)))

    refused(
        program,
        r"its mechanisms alone take δ=1\.2e-06.*divide the delta_fraction of 'h0' and its like by more than 1\.2",
    )
    refused(program, r"node 'h0' spends a part of δ, and this budget has none", budget=dp.zcdp(rho=1.0))


def test_9_where_no_noise_is_enough_those_nodes_are_named_that_have_no_such_loss() -> None:
    def program(noise: Any) -> Callable[[Handle], Handle]:
        return lambda x: state(dp.release("l", dp.laplace(share=5.0), dp.count(x)), dp.release("g", noise, dp.count(x)))

    pure, gdp = dp.pure_dp(epsilon=1.0), dp.gdp(mu=1.0)
    refused(program(dp.gaussian(share=1.0)), r"noise of 'g' has no finite epsilon\. Fix: .* laplace", budget=pure)
    refused(program(dp.discrete_gaussian(share=1.0)), r"noise of 'g' has no finite mu\. Fix: .* as rho", budget=gdp)


# --------------------------------------------------------------------------------- 10 warnings


def test_10_assumptions_that_the_parameters_violate_are_warnings() -> None:
    plan = planned(
        lambda x: dp.release("s", dp.build("declared", {"cites": "Thm 5.8", "share": 1.0}), x), budget=BUDGET
    )
    assert any("node 's': is a stub for Thm 5.8" in warning for warning in plan.warnings)
    assert plan.warnings == tuple(plan.to_json()["warnings"])
    assert not planned(noisy, budget=BUDGET).warnings


def test_edges_and_budgets_are_values() -> None:
    assert Edge(Kind.PUBLIC, Rows(2)) == Edge(Kind.PUBLIC, Rows(2))
    assert isinstance(BUDGET, Budget)
