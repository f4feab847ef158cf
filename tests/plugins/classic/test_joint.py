"""Count, sum about 0, mean and covariance from one joint release, with missing rows and under both adjacencies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.post_processing import Failed, Post

CENTRE, RADIUS = [3.0, -1.0], 8.0


def planned(adjacency: Any, budget: Any, n: int | None) -> dp.Plan:
    @dp.program
    def program(x: Any) -> Any:
        return dp.release("m", dp.moments(share=1.0), x, dp.ball(centre=CENTRE, radius=RADIUS))

    return dp.plan(program, x=dp.rows(n=n, d=2), adjacency=adjacency, budget=budget)


def rows(n: int) -> Any:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 2)) @ [[1.0, 0.5], [0.0, 0.7]] + [4.0, -2.0]
    x[: n // 5, 1] = np.nan
    return x


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
def test_moments_are_those_of_the_rows_that_have_all_values(adjacency: Any) -> None:
    x = rows(20_000)
    valid = x[~np.isnan(x).any(axis=1)]
    n = len(x) if adjacency is dp.REPLACE_ONE else None
    result = planned(adjacency, dp.gdp(1e3), n).run(x=x, simulate=0)
    expected = {
        "count": [len(valid)],
        "sum": valid.sum(axis=0),
        "squares": valid.T @ valid,
        "mean": valid.mean(axis=0),
        "covariance": np.cov(valid.T, bias=True),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(result[name], value, rtol=2e-3, err_msg=name)


def test_one_release_pays_for_all() -> None:
    plan = planned(dp.REPLACE_ONE, dp.approx_dp(epsilon=1.0, delta=1e-6), 1000)
    assert list(plan.calibrations) == [("m.gram",)]


def test_no_rows_give_no_mean() -> None:
    result = planned(dp.REPLACE_ONE, dp.approx_dp(epsilon=1.0, delta=1e-6), 1000).run(
        x=np.full((1000, 2), np.nan), simulate=0
    )
    assert result.status == "failed"
    assert "number of rows" in result.reason


@pytest.mark.parametrize("what", ["mean", "covariance", "sum", "squares", "count"])
def test_what_noise_makes_is_a_value_or_a_failure(what: str) -> None:
    node: Any = dp.build("classic.moment", {"what": what})
    assert isinstance(node, Post)
    ball = dp.build("ball", {"centre": [0.0], "radius": 1e200}).apply()  # type: ignore[attr-defined]
    found = node.apply_noisy((np.array([[[5.0, -9.0], [-9.0, -3.0]]]), ball), (0.1, 0.0))
    assert isinstance(found, Failed) or np.isfinite(found).all()
    if what == "covariance":
        ball = dp.build("ball", {"centre": [0.0], "radius": 1.0}).apply()  # type: ignore[attr-defined]
        assert node.apply_noisy((np.array([[[5.0, -9.0], [-9.0, -3.0]]]), ball), (0.1, 0.0)).min() >= 0.0
