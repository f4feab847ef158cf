"""``scale_finder``, ``range_finder``, ``univariate_mean_variance``: no bound, any place, any scale."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from tests.plugins.classic.runs import EPSILON_1, RHO_HALF, draw, planned, released, run

PLACES = [(0.0, 1.0), (1e6, 1e-2), (-3e8, 17.0), (1e-60, 1e-70), (1e120, 1e115)]


def column(n: int, mean: float, scale: float, seed: int = 0) -> Any:
    return draw(n, 0.0, np.eye(1), seed) * scale + mean


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
@pytest.mark.parametrize(("mean", "scale"), PLACES)
@pytest.mark.parametrize("n", [1000, 10_000])
def test_mean_and_variance(n: int, mean: float, scale: float, adjacency: Any) -> None:
    """Limits are 5 standard errors, sampling (1/√n, √2/√n) and noise of the last pass (about 50/n, 80/n) together."""
    declared = n if adjacency is dp.REPLACE_ONE else None
    found = released(planned("univariate_mean_variance", 1, declared, adjacency=adjacency), column(n, mean, scale))
    assert abs(found.mean[0] - mean) / scale < 5 * math.hypot(1 / math.sqrt(n), 50 / n) + 1e-6 * abs(mean) / scale / 1e6
    assert abs(found.covariance[0, 0] / scale**2 - 1) < 5 * math.hypot(math.sqrt(2 / n), 80 / n)


@pytest.mark.parametrize(("mean", "scale"), PLACES)
def test_the_scale_is_found(mean: float, scale: float) -> None:
    plan = planned("scale_finder", 1, 3000, budget=RHO_HALF, share=1.0)
    found = released(plan, column(3000, mean, scale))
    assert 0.75 < found[0] / scale < 1.75


def finder(n: int, budget: Any = EPSILON_1, scale: float = 1.0, d: int = 1) -> dp.Plan:
    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        return dp.release("out", dp.recipe("range_finder", share=1.0), x, dp.constant([scale]))

    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=budget)


@pytest.mark.parametrize(("mean", "scale"), PLACES[:3])
def test_the_range_holds_the_mean(mean: float, scale: float) -> None:
    for seed in range(2):
        ball = released(finder(1000, scale=scale), column(1000, mean, scale, seed), seed)
        assert abs(ball.centre[0] - mean) < ball.radius == 4 * scale


def test_without_delta_no_range_is_found() -> None:
    for plan in (lambda: finder(1000, RHO_HALF), lambda: planned("univariate_mean_variance", 1, 1000, budget=RHO_HALF)):
        with pytest.raises(DpframeError, match="spends a part of δ"):
            plan()


def test_delta_is_split_openly() -> None:
    plan = planned("univariate_mean_variance", 1, 1000, delta_fraction=0.25)
    assert plan.delta_split == pytest.approx({"out.range.cells": 2.5e-7, "conversion": 7.5e-7}, rel=1e-6)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((1, 1)), "pairs"),
        (np.full((100, 1), np.nan), "pairs"),
        (np.full((3000, 1), 7.25), "equal"),
        (np.where(np.arange(3000) % 9, 3.0, np.linspace(0, 1, 3000))[:, None], "equal"),
    ],
)
def test_nothing_to_find_fails_with_advice(rows: Any, said: str) -> None:
    result = run(planned("univariate_mean_variance", 1, len(rows)), rows)
    assert result.status == "failed"
    assert said in result.reason
    assert result.advice


def test_two_clusters_give_one_of_their_cells() -> None:
    rows = np.concatenate([column(1500, -1e6, 1.0), column(1500, 1e6, 1.0)])
    ball = released(finder(3000), rows)
    assert abs(abs(ball.centre[0]) - 1e6) < ball.radius


def test_refusals() -> None:
    with pytest.raises(DpframeError, match="one column"):
        finder(1000, d=2)
    with pytest.raises(DpframeError, match="delta_fraction"):
        planned("univariate_mean_variance", 1, 1000, delta_fraction=1.5)


def test_parts_have_no_pairs() -> None:
    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        near, _ = dp.transform("filter_ball", x, dp.ball(centre=[0.0], radius=3.0))
        return dp.release("out", dp.recipe("scale_finder", share=1.0), near)

    with pytest.raises(DpframeError, match="pairs"):
        dp.plan(program, x=dp.rows(n=1000, d=1), adjacency=dp.REPLACE_ONE, budget=EPSILON_1)
