"""``coinpress_mean``: accuracy, indifference to the bound, adjacencies, prices by hand, refusals, odd tables.

Errors are Euclidean in units of the standard deviation. A seed is fixed in each run; bounds are 1.6 times the
predicted root mean square for d = 50 and 5 standard errors for d = 1, which a fresh seed would exceed with
probability below 1e-6.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe_plugins.classic import mean, sizing
from tests.plugins.classic.runs import EPSILON_1, RHO_HALF, draw, gaussians, planned, released, run


@pytest.mark.parametrize(
    ("n", "bound", "limit"),
    [
        (500, 1000 * math.sqrt(50) + 20, 0.62),
        (1000, 1000 * math.sqrt(50) + 20, 0.41),
        (4272, 1000 * math.sqrt(50) + 20, 0.178),
        (500, 1e9 * math.sqrt(50), 0.63),
        (1000, 1e9 * math.sqrt(50), 0.41),
    ],
)
def test_far_from_0_in_50_dimensions(n: int, bound: float, limit: float) -> None:
    """BKS22's figure, and the same with a bound 1e6 times too large (CoinPress with t = 2: 17.8, 4.47, 0.28).

    There the bound is the mean's, on whose sphere it lies; here it is that of the rows, which lie √50 about it.
    """
    rows = draw(n, 1000.0, np.eye(50))
    plan = planned("coinpress_mean", 50, n, budget=RHO_HALF, bound=bound, scale=1.0)
    assert np.linalg.norm(released(plan, rows) - 1000.0) < limit


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
@pytest.mark.parametrize(("shift", "scale"), [(0.0, 1.0), (-3e4, 17.0), (1e-3, 1e-6)])
def test_one_column_with_missing_rows(adjacency: Any, shift: float, scale: float) -> None:
    n = 8000
    rows = draw(n, shift, scale**2 * np.eye(1))
    rows[::3] = np.nan
    declared = n if adjacency is dp.REPLACE_ONE else None
    plan = planned("coinpress_mean", 1, declared, adjacency=adjacency, bound=max(1e5 * scale, 1e3), scale=scale)
    error = abs(released(plan, rows)[0] - shift) / scale
    assert error < 5 * math.hypot(1 / math.sqrt(n * 2 / 3), 2 * 2.5 / (0.2 * n * 2 / 3))


def test_without_the_shrinking_the_test_above_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twin: one step from the a-priori ball is what the naive private mean is."""
    rows = draw(1000, 1000.0, np.eye(50))
    monkeypatch.setattr(mean, "mean_steps", lambda public, ratio: sizing.MeanSteps(0.0, (1.0,), 1.0))
    plan = planned("coinpress_mean", 50, 1000, budget=RHO_HALF, bound=1000 * math.sqrt(50), scale=1.0)
    assert np.linalg.norm(released(plan, rows) - 1000.0) > 10.0


@pytest.mark.parametrize("scale", [0.3, 1.0, 30.0])
def test_what_the_bound_holds_is_not_clipped_and_nothing_is_put_back(scale: float) -> None:
    """One step is enough at ε = 1000: the noise is 1e-6, and rows of the bound's ball lie as they are about its centre.

    Undoing a Gaussian's clip there would move the mean by a quarter of a deviation at scale 1 and a bound of 1.
    """
    rows = np.random.default_rng(2).uniform(0.0, 1.0, size=(20_000, 1))
    plan = planned("coinpress_mean", 1, 20_000, budget=dp.approx_dp(1000.0, 1e-6), bound=1.0, scale=scale)
    assert len(gaussians(plan)) == 1
    assert abs(released(plan, rows)[0] - rows.mean()) < 1e-4


def test_the_total_by_hand() -> None:
    """Step t has μ_t² = 2 ρ share_t, whatever its ball: they add to 2ρ. The noise is 2/μ_t, or √2/μ_t."""
    for adjacency, moved in ((dp.REPLACE_ONE, 2.0), (dp.ADD_REMOVE, math.sqrt(2.0))):
        plan = planned("coinpress_mean", 5, 2000, budget=RHO_HALF, adjacency=adjacency, bound=100.0, scale=1.0)
        public = sizing.Public(2000, 5, 0.5, replaces=adjacency is dp.REPLACE_ONE)
        steps = sizing.mean_steps(public, 100.0)
        assert steps.histogram == 0
        found = gaussians(plan)
        assert list(found) == [f"out.step_{t}" for t in range(len(steps.shares))]
        for (name, mu), share in zip(found.items(), steps.shares, strict=True):
            assert mu == pytest.approx(math.sqrt(2 * 0.5 * share), rel=1e-5)
            assert plan.calibrations[(name,)]["sigma"] == pytest.approx(moved / mu, rel=1e-5)
        assert sum(mu**2 for mu in found.values()) / 2 == pytest.approx(0.5, rel=1e-5)
        assert plan.spent["rho"] <= 0.5


def test_a_part_of_a_table_will_do() -> None:
    rows = draw(6000, np.array([5.0, 0.0]), np.eye(2))

    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        near, _ = dp.transform("filter_ball", x, dp.ball(centre=[5.0, 0.0], radius=3.0))
        return dp.release("out", dp.recipe("coinpress_mean", bound=100.0, scale=1.0), near)

    plan = dp.plan(program, x=dp.rows(n=6000, d=2), adjacency=dp.REPLACE_ONE, budget=EPSILON_1)
    assert np.linalg.norm(released(plan, rows) - [5.0, 0.0]) < 0.2


@pytest.mark.parametrize("rows", [np.zeros((1, 2)), np.full((50, 2), np.nan), np.zeros((2, 2))])
def test_too_few_rows_fail_with_advice(rows: Any) -> None:
    result = run(planned("coinpress_mean", 2, len(rows), bound=10.0, scale=1.0), rows)
    assert result.status == "failed"
    assert "rows" in result.reason
    assert result.advice
    assert result.outputs == {}


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        (np.full((3000, 2), 7.25), 7.25),
        (np.vstack([np.full((2900, 2), 7.25), np.full((100, 2), -1e300)]), 7.25),
        (np.vstack([np.full((2900, 2), 7.25), np.full((100, 2), np.inf)]), 7.25),
    ],
)
def test_odd_tables(rows: Any, where: float) -> None:
    plan = planned("coinpress_mean", 2, len(rows), bound=1e3, scale=1.0)
    assert np.abs(released(plan, rows) - where).max() < 0.4


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"bound": 0.0, "scale": 1.0}, "bound"),
        ({"bound": -1.0, "scale": 1.0}, "bound"),
        ({"bound": math.inf, "scale": 1.0}, "bound"),
        ({"bound": True, "scale": 1.0}, "bound"),
        ({"bound": "10", "scale": 1.0}, "bound"),
        ({"bound": 1.0, "scale": 0.0}, "scale"),
        ({"bound": 1.0, "scale": math.nan}, "scale"),
        ({"bound": 1.0}, "scale"),
        ({"bound": 1.0, "scale": 1.0, "t": 3}, "'t'"),
        ({"bound": 1.0, "scale": 1.0, "share": 0.0}, "share"),
    ],
)
def test_refusals(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        planned("coinpress_mean", 2, 100, **parameters)


def test_clipped_rows_are_refused() -> None:
    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        inside = dp.clip(x, dp.ball(centre=[0.0], radius=1.0))
        return dp.release("out", dp.recipe("coinpress_mean", bound=1.0, scale=1.0), inside)

    with pytest.raises(DpframeError, match="units of the table"):
        dp.plan(program, x=dp.rows(n=10, d=1), adjacency=dp.REPLACE_ONE, budget=EPSILON_1)
