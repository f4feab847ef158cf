"""Totals of certificates: budgets without a delta, and losses that have no number in the budget's view."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

import dpframe as dp
from dpframe.errors import CertificateError
from dpframe.planning.certificate import certificate
from dpframe.planning.sealing import to_bytes
from dpframe.proof.checker import pricing, verify
from dpframe.proof.losses import ZERO


@pytest.mark.parametrize(
    ("budget", "key", "accountant"),
    [({"type": "pure_dp", "epsilon": 0.001}, "epsilon", "basic"), ({"type": "gdp", "mu": 0.001}, "mu", "gdp")],
)
def test_what_a_loss_lacks_is_no_finite_total(budget: dict[str, Any], key: str, accountant: str) -> None:
    """Pure DP of Gaussian noise, GDP of discrete Gaussian noise: infinite, and once equal to any number."""
    noise = "gaussian" if accountant == "basic" else "discrete_gaussian"
    plan = dp.plan(
        dp.program(lambda x: dp.release("n", dp.build(noise, {"share": 1.0}), dp.count(x))),
        x=dp.rows(n=1000, d=1),
        adjacency=dp.REPLACE_ONE,
        budget=dp.zcdp(rho=50.0),
    )
    document = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    document = json.loads(to_bytes(document))
    assert verify(document).verified
    document["budget"] = budget
    document["total"] = {"adjacency": "replace_one", "accountant": accountant, key: 0.001, "delta": 0.0}
    document["accountants"] = {accountant: 0.001}
    found = verify(document)
    assert not found.verified
    assert "computed inf" in found.reasons[0]


@dp.program
def count_or_none(x: Any) -> Any:
    return dp.release("n", dp.truncated_laplace_test(share=1.0, threshold=10.0, delta_fraction=0.5), dp.count(x))


@pytest.mark.parametrize(
    ("budget", "key", "accountant"),
    [
        ({"type": "pure_dp", "epsilon": 1e3}, "epsilon", "basic"),
        ({"type": "zcdp", "rho": 1e3}, "rho", "zcdp"),
        ({"type": "gdp", "mu": 1e3}, "mu", "gdp"),
    ],
)
def test_a_budget_without_delta_holds_no_mechanism_that_spends_some(
    budget: dict[str, Any], key: str, accountant: str
) -> None:
    """Its events alone are within the budget: only its own δ tells. The checker's one line on it had no test."""
    plan = dp.plan(
        count_or_none,
        x=dp.rows(n=1000, d=1),
        adjacency=dp.REPLACE_ONE,
        budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
    )
    document = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    document = json.loads(to_bytes(document))
    assert verify(document).verified
    spent = float(getattr(plan.loss, key))
    document["budget"] = budget
    document["total"] = {"adjacency": "replace_one", "accountant": accountant, key: spent, "delta": 0.0}
    document["accountants"] = {accountant: spent}
    document["delta_split"].pop("conversion")
    found = verify(document)
    assert not found.verified
    assert "spend more delta than the budget has" in found.reasons[0]


@pytest.mark.parametrize("edits", [dp.Edits(2, 2), dp.Edits(2, 0), dp.Edits(0, 3), dp.Edits(1, 2)], ids=str)
@pytest.mark.parametrize("parameters", [{"max_depth": 2}, {"categories": 3}], ids=str)
def test_trees_and_categories_are_priced_for_single_rows_only(parameters: dict[str, int], edits: dp.Edits) -> None:
    """A unit's rows may take several paths, or be in several categories: what one row costs says nothing of them."""
    step: Any = SimpleNamespace(name="tree", parameters=parameters)
    rule: Any = pricing._division if "max_depth" in parameters else pricing._two_tables
    with pytest.raises(CertificateError, match="single-row edits only"):
        rule(step, edits, lambda *at: ZERO)
