"""``coinpress_gaussian`` and ``coinpress_covariance``: shifted, rotated, stretched; prices, refusals, odd tables.

Covariance errors are Mahalanobis–Frobenius. The non-private error is close to √(d(d+1)/n) with a spread of 1/d of
it; limits are those of CoinPress with its matrices multiplied in the right order, where known, else 1.8 times the
non-private error. Seeds are fixed; a fresh one would exceed a limit with probability below 1e-6
where it is more than 1.5 times the median.
"""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.kernel.expected import Above
from dpframe.proof.spaces import GaussianValue
from dpframe_plugins.classic import moments, sizing
from dpframe_plugins.classic.gaussian import DISTANCES
from dpframe_plugins.classic.nodes import GaussianOf
from tests.plugins.classic.runs import (
    RHO_HALF,
    covariance_error,
    draw,
    gaussians,
    mean_error,
    planned,
    released,
    run,
    stretched,
)

HALF = np.repeat([1.0, 31.6], 5)


@pytest.mark.parametrize("shift", [0.0, 1e4])
@pytest.mark.parametrize(
    ("n", "variances", "limit"),
    [
        (3000, np.ones(10), 0.245),
        (8000, np.ones(10), 0.16),
        (3000, HALF, 0.245),
        (8000, HALF, 0.16),
        (7000, np.repeat([1.0, 31623.0], 5), 0.17),
        (8000, np.logspace(-3, 0, 10), 0.16),
    ],
)
def test_unknown_mean_and_covariance(n: int, variances: Any, limit: float, shift: float) -> None:
    truth = stretched(variances)
    rows = draw(n, shift, truth)
    found = released(planned("coinpress_gaussian", 10, n, budget=RHO_HALF, bound=1e7), rows)
    assert covariance_error(found.covariance, truth) < limit
    assert mean_error(found.mean, shift, truth) < 1.8 * math.sqrt(10 / n)


@pytest.mark.parametrize("shift", [0.0, -300.0])
@pytest.mark.parametrize(("n", "variances", "limit"), [(3000, np.ones(10), 0.245), (8000, HALF, 0.16)])
def test_covariance_about_a_known_centre(n: int, variances: Any, limit: float, shift: float) -> None:
    truth = stretched(variances)
    rows = draw(n, shift, truth)
    plan = planned("coinpress_covariance", 10, n, budget=RHO_HALF, bound=1e4, center=[shift] * 10)
    found = released(plan, rows)
    assert covariance_error(found, truth) < limit
    assert np.array_equal(found, found.T)


def test_the_published_order_of_matrices_fails_when_stretched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twin: A ← Z^(−1/2) A for rows x A in place of A Z^(−1/2). Isotropic rows hide it, these don't."""
    right = moments.advance

    def wrong(estimate: Any, seen: Any, *rest: Any) -> Any:
        inner = np.linalg.cholesky(moments.bounded(seen.covariance, seen.noise))
        turned = inner @ seen.root
        return attrs.evolve(right(estimate, seen, *rest), root=np.linalg.cholesky(turned @ turned.T))

    truth = stretched(np.repeat([1.0, 1e3], 5))
    rows = draw(8000, 50.0, truth)
    plan = planned("coinpress_gaussian", 10, 8000, budget=RHO_HALF, bound=1e4)
    assert covariance_error(released(plan, rows).covariance, truth) < 0.16
    monkeypatch.setattr(moments, "advance", wrong)
    result = run(plan, rows)
    assert result.status == "failed" or covariance_error(result["out"].covariance, truth) > 1.0


@pytest.mark.parametrize("bound", [None, 1e3, 1e9])
def test_a_bound_is_not_needed(bound: float | None) -> None:
    truth = stretched(np.array([1.0, 4.0, 100.0]))
    rows = draw(8000, np.array([100.0, -200.0, 300.0]), truth)
    found = released(planned("coinpress_gaussian", 3, 8000, bound=bound), rows)
    assert covariance_error(found.covariance, truth) < 0.16
    assert mean_error(found.mean, [100.0, -200.0, 300.0], truth) < 0.09


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
@pytest.mark.parametrize("d", [1, 2])
def test_both_adjacencies_with_missing_rows(adjacency: Any, d: int) -> None:
    truth = stretched(np.logspace(0, 2, d)) if d > 1 else np.array([[9.0]])
    rows = draw(9000, -40.0, truth)
    rows[::3, 0] = np.nan
    declared = 9000 if adjacency is dp.REPLACE_ONE else None
    found = released(planned("coinpress_gaussian", d, declared, adjacency=adjacency, bound=1e6), rows)
    assert found.mean.shape == (d,)
    assert found.covariance.shape == (d, d)
    assert covariance_error(found.covariance, truth) < 0.2
    assert mean_error(found.mean, -40.0, truth) < 0.12


def test_it_is_equivariant() -> None:
    """One map turns, stretches and shifts the table; the answer follows it but for noise and the first radius."""
    truth = stretched(np.logspace(0, 3, 4), seed=8)
    rows = draw(20_000, 0.0, np.eye(4))
    root = np.linalg.cholesky(truth)
    plan = planned("coinpress_gaussian", 4, 20_000, budget=RHO_HALF, bound=1e6)
    plain, mapped = released(plan, rows), released(plan, rows @ root.T + 1e4, seed=1)
    assert covariance_error(mapped.covariance, root @ plain.covariance @ root.T) < 0.025
    assert mean_error(mapped.mean, root @ plain.mean + 1e4, truth) < 0.025


def test_the_total_by_hand() -> None:
    """μ² = 2ρ·share adds up over histograms (Δ = √2), means (Δ = 2) and passes (Δ = √2)."""
    plan = planned("coinpress_gaussian", 3, 4000, budget=RHO_HALF, bound=100.0)
    public = sizing.Public(4000, 3, 0.5, replaces=True)
    search, passes = sizing.search(public), sizing.pass_shares(public)
    found = gaussians(plan)
    wanted = {f"out.distances_{t}": (search.histogram, math.sqrt(2)) for t in range(search.rounds + 1)}
    wanted |= {f"out.center_{t}": (search.mean, 2.0) for t in range(search.rounds)}
    left = 1 - search.total
    rest = left * (1 - DISTANCES)
    wanted |= {f"out.pass_{t}": (share * rest, math.sqrt(2)) for t, share in enumerate(passes)}
    wanted |= {"out.shape": (DISTANCES * left, math.sqrt(2))}
    assert found.keys() == wanted.keys()
    for name, (share, moved) in wanted.items():
        assert found[name] == pytest.approx(math.sqrt(share), rel=1e-5)
        assert plan.calibrations[(name,)]["sigma"] == pytest.approx(moved / found[name], rel=1e-5)
    assert sum(mu**2 for mu in found.values()) == pytest.approx(2 * 0.5, rel=1e-5)
    assert plan.spent == {"adjacency": "replace_one", "accountant": "zcdp", "rho": plan.loss.rho, "delta": 0.0}
    assert plan.spent["rho"] <= 0.5


def test_the_plan_warns_where_next_to_nothing_is_resolved() -> None:
    few = planned("coinpress_gaussian", 10, 1000, bound=100.0)
    many = planned("coinpress_gaussian", 10, 100_000, bound=100.0)
    assert any("upper bound" in w for w in few.warnings)
    assert many.warnings == ()


@pytest.mark.parametrize("recipe", ["coinpress_gaussian", "coinpress_covariance"])
@pytest.mark.parametrize("rows", [np.zeros((1, 2)), np.full((50, 2), np.nan), np.full((3, 2), np.inf)])
def test_too_few_rows_fail_with_advice(recipe: str, rows: Any) -> None:
    result = run(planned(recipe, 2, len(rows), bound=10.0), rows)
    assert (result.status, bool(result.reason), bool(result.advice), result.outputs) == ("failed", True, True, {})


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
@pytest.mark.parametrize(
    "rows",
    [
        np.full((3000, 2), 7.25),
        np.repeat([[0.0, 0.0], [1.0, 1.0]], 1500, axis=0),
        np.column_stack([np.linspace(-1, 1, 4000), np.full(4000, 3.0)]),
        np.vstack([draw(4000, 0.0, np.eye(2)), np.full((20, 2), 1e300)]),
        1e-70 * draw(3000, 0.0, np.eye(2)),
        1e140 * draw(3000, 0.0, np.eye(2)),
    ],
    ids=["equal", "two values", "a constant column", "outliers", "tiny", "huge"],
)
def test_odd_tables_give_a_gaussian(rows: Any, adjacency: Any) -> None:
    declared = len(rows) if adjacency is dp.REPLACE_ONE else None
    found = released(planned("coinpress_gaussian", 2, declared, adjacency=adjacency), rows)
    assert np.isfinite(found.covariance).all()
    assert np.linalg.eigvalsh(found.covariance)[0] > 0


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"bound": 0.0}, "bound"),
        ({"bound": math.nan}, "bound"),
        ({"bound": [1.0]}, "bound"),
        ({"bound": 1.0, "steps": 3}, "steps"),
        ({"bound": 1.0, "share": -1.0}, "share"),
        ({"bound": 1.0, "center": [0.0]}, "centre"),
    ],
)
def test_refusals(parameters: dict[str, Any], said: str) -> None:
    recipe = "coinpress_covariance" if "center" in parameters else "coinpress_gaussian"
    with pytest.raises(DpframeError, match=said):
        planned(recipe, 2, 100, **parameters)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "d", "limit"), [(80_000, 100, 0.42), (100_000, 10, 0.05)])
def test_large_tables(n: int, d: int, limit: float) -> None:
    truth = stretched(np.logspace(0, 3, d))
    found = released(planned("coinpress_gaussian", d, n, budget=RHO_HALF, bound=1e6), draw(n, 1e3, truth))
    assert covariance_error(found.covariance, truth) < limit


def test_standard_errors_of_a_huge_covariance_are_those_of_a_small_one() -> None:
    """Its entries' squares are beyond float64."""
    covariance, noise = np.array([[2.0, 0.5], [0.5, 1.0]]), Above([("weighted_grams", {"sigma": 3.0})])
    reader = GaussianOf(d=2, narrowest=1e-9)
    for scale in (2.0**700, 2.0**-700):
        small, other = (
            reader.standard_errors(GaussianValue(np.zeros(2), covariance * each), 1000, noise) for each in (1.0, scale)
        )
        for name in ("noise", "sampling"):
            assert other["covariance"][name] / scale == pytest.approx(small["covariance"][name], rel=1e-12)
            assert (small["covariance"][name] > 0.0).all()
