"""Covers that are locally small, and mixtures, which have none (AAL21, Proposition B.6); the reduction end to end."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import dpframe as dp
from dpframe.kernel.registry import find_learner
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.testing import check_operation
from dpframe_plugins.families.cover import STEP, GaussianMembers, Proposed

GAMMA = 0.2


def apart(one: tuple[float, float], two: tuple[float, float]) -> float:
    """Total variation of two Gaussians (μ, σ), by the points where their densities cross."""
    (a, s), (b, r) = one, two
    if s == r:
        return float(2 * stats.norm.cdf(abs(a - b) / (2 * s)) - 1)
    crossing = np.roots(
        [1 / r**2 - 1 / s**2, 2 * (a / s**2 - b / r**2), b * b / r**2 - a * a / s**2 + 2 * np.log(r / s)]
    )
    low, high = np.sort(crossing.real)
    inside = [stats.norm.cdf((high - m) / v) - stats.norm.cdf((low - m) / v) for m, v in (one, two)]
    return float(abs(inside[0] - inside[1]))


def members(reach: int) -> Any:
    named = [np.array([i, j], dtype=float) for i in range(-reach, reach + 1) for j in range(-4 * reach, 4 * reach + 1)]
    return GaussianMembers().apply(named)


def near(law: tuple[float, float], reach: int) -> int:
    return sum(apart(law, (mu, sigma)) <= GAMMA for mu, sigma in members(reach))


@pytest.mark.parametrize("law", [(0.0, 1.0), (0.3, 0.9)])
def test_few_gaussians_of_the_cover_are_near_any_one(law: tuple[float, float]) -> None:
    """However far the cover reaches; and one of them is."""
    few, more = near(law, 4), near(law, 6)
    assert 1 <= few == more < 20


def test_mixtures_have_no_locally_small_cover() -> None:
    """B.6: (1 − γ)·N(0, 1) + γ·N(μ, 1), μ = C, 2C, ...: any two γ/2 apart, all within γ of N(0, 1), without end."""
    step = 0.05
    for many in (3, 12, 48):
        x = np.arange(-8.0, 20.0 * many + 8, step)
        first = stats.norm.pdf(x)
        mixed = [(1 - GAMMA) * first + GAMMA * stats.norm.pdf(x - 20.0 * i) for i in range(1, many + 1)]
        distance = lambda f, g: float(np.abs(f - g).sum() * step / 2)  # noqa: E731
        assert max(distance(first, g) for g in mixed) <= GAMMA + 1e-9
        assert min(distance(f, g) for f, g in itertools.combinations(mixed, 2)) >= GAMMA / 2


def test_blocks_propose_a_member_near_them() -> None:
    """Mean and deviation to half a step each; blocks of one law propose at most four members in a column."""
    rng = np.random.default_rng(0)
    proposed = {
        tuple(find_learner("families.gaussian_cover")(rng.normal(50, 3, (400, 1)), rng)[0][0]) for _ in range(50)
    }
    assert len(proposed) <= 6
    for mu, sigma in GaussianMembers().apply([np.array(named) for named in proposed]):
        assert abs(np.log(sigma / 3)) < 2 * np.log1p(STEP)
        assert abs(mu - 50) < 3


def planned(numbers: int = 0, **changes: Any) -> Any:
    recipe = dp.recipe("families.select_from_cover", t=200, numbers=numbers)
    given = {"adjacency": dp.REPLACE_ONE, "budget": dp.approx_dp(epsilon=1.0, delta=1e-6), **changes}
    n = 20_000 if given["adjacency"] == dp.REPLACE_ONE else None
    return dp.plan(lambda x: {"result": dp.release("result", recipe, x)}, x=dp.rows(n=n, d=1), **given)


def test_it_plans_and_nothing_is_asserted_of_its_price() -> None:
    plan = planned()
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert verify(json.loads(json.dumps(made))).reasons == ()
    with pytest.raises(dp.PlanError, match="public number of rows"):
        planned(adjacency=dp.ADD_REMOVE)
    with pytest.raises(dp.PlanError, match=r"has 2 parameters over 1 columns, and the list holds Vector\(d=4\)"):
        planned(numbers=4)
    with pytest.raises(dp.PlanError, match="delta"):
        planned(budget=dp.pure_dp(1.0))


@pytest.mark.slow
def test_it_finds_a_gaussian_anywhere() -> None:
    rows = 1e6 + 0.01 * np.random.default_rng(1).standard_normal((20_000, 1))
    result = planned().run(x=rows, simulate=1)
    assert result.status == "released", result.reason
    assert apart(tuple(result["result"][0, 1:]), (1e6, 0.01)) < GAMMA


@pytest.mark.slow
@pytest.mark.parametrize("name", ["families.unit_grid", "families.proposed", "families.gaussian_members"])
def test_the_battery_holds(name: str) -> None:
    report = check_operation(name)
    assert report.holds, report.failures


def test_nothing_proposed_is_a_failure() -> None:
    empty = type("Cells", (), {"ids": np.zeros((0, 2)), "counts": np.zeros(0)})()
    assert "no cover member" in Proposed(p=2, most=3).apply((empty,)).reason
