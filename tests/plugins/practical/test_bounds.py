"""No method has better means than the bound says; it is said where rows are scarce."""

from __future__ import annotations

import numpy as np
import pytest

import dpframe as dp
from dpframe_plugins.practical import judging
from dpframe_plugins.practical.bounds import nearest, words
from dpframe_plugins.practical.records import Mixture


@pytest.mark.parametrize(("d", "m", "rho"), [(1, 200, 0.03), (4, 300, 0.03), (20, 500, 0.03), (20, 2000, 0.5)])
def test_the_gaussian_mechanism_told_the_cluster_does_not_beat_the_bound(
    d: int, m: int, rho: float, rng: np.random.Generator
) -> None:
    """Clipped at the radius that suits it best; off by a factor below four, so the bound is no formality."""
    rows = rng.standard_normal((400, m, d))
    lengths = np.linalg.norm(rows, axis=2, keepdims=True)
    errors = []
    for clip in np.quantile(lengths, [0.3, 0.6, 0.8, 0.95, 1.0]):
        told = (rows * np.minimum(1.0, clip / lengths)).mean(axis=1)
        noise = 2.0 * clip / (m * (2.0 * rho) ** 0.5)
        errors.append(float(np.sqrt((told**2).sum(axis=1).mean() + d * noise**2)))
    assert nearest(d, m, rho) < errors[-1]
    assert min(errors) < 4.0 * nearest(d, m, rho)


def test_a_budget_beyond_any_use_leaves_sampling_alone() -> None:
    """At an ε of 600 e^(2ρ) leaves float64, and planning for scarce rows ended in an error."""
    assert nearest(3, 20.0, 1e4) == (3 / 20.0) ** 0.5


def test_it_says_so_where_no_method_can() -> None:
    assert words(0.0) == ""
    assert "nearer than 0.05" in words(0.05)
    assert "at least 4.3" in words(4.3)


@pytest.mark.parametrize(("n", "says"), [(1000, True), (20_000, False)])
def test_a_plan_says_before_it_runs_that_rows_are_too_few(n: int, says: bool) -> None:
    @dp.program
    def learn(x: dp.Handle) -> dp.Handle:
        return dp.apply("found", dp.recipe("practical_mixture", k=16, bound=10.0), x)

    plan = dp.plan(learn, x=dp.rows(n=n, d=40), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    (row,) = [r for r in plan.to_json()["nodes"] if r["operation"] == "practical.average"]
    assert any("no method within this budget" in note for note in row.get("notes", [])) == says


def test_a_table_that_is_noise_says_what_no_method_can_do() -> None:
    drowned = Mixture([1.0], [[0.0]], [[[1.0]]], np.array([9.0]))
    found = judging.drowned(drowned, nearest(64, 62.0, 0.028))
    assert found is not None
    assert "its error is at least 4.3" in found.reason
    assert "at least 4.3" in judging.judge((drowned, drowned), nearest=4.3).why
