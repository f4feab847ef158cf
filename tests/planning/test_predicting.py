"""Errors that the kernel's own releases are predicted to make are those that simulation shows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@dp.program
def plain(x: Any) -> Any:
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
    return {
        "count": dp.release("count", dp.laplace(share=1.0), dp.count(x)),
        "bins": dp.release("bins", dp.gaussian(share=1.0), dp.bin_counts(x, edges=[-1.0, 0.0, 1.0], column=0)),
        "mean": dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside)),
        "sum": dp.release("sum", dp.gaussian(share=1.0), dp.sum(inside)),
        "gram": dp.release("gram", dp.gaussian(share=1.0), dp.gram(inside)),
    }


def test_releases_err_as_predicted() -> None:
    """Root mean squares over 30 runs of at least one number each; seeds are fixed, and half as much again is caught."""
    n, rng = 4000, np.random.default_rng(0)
    x = np.clip(rng.normal(size=(n, 2)), -2.0, 2.0)
    plan = dp.plan(plain, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    true = {
        "count": np.array([n]),
        "bins": np.histogram(x[:, 0], [-9, -1, 0, 1, 9])[0],
        "mean": x.mean(axis=0),
        "sum": x.sum(axis=0),
        "gram": x.T @ x,
    }
    expected = plan.predict()
    squares: dict[str, list[float]] = {name: [] for name in true}
    for seed in range(30):
        found = plan.run(x=x, simulate=seed)
        for name, value in true.items():
            each = value.size if name in ("count", "bins") else 1
            squares[name].append(float(((np.asarray(found[name]) - value) ** 2).sum()) / each)
    for name, sizes in squares.items():
        ratio = math.sqrt(float(np.mean(sizes))) / expected[name].error
        assert 1 / 1.5 < ratio < 1.5, name


@dp.program
def located(x: Any) -> Any:
    ball = dp.release("ball", dp.locate(share=0.3), x)
    return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))


@pytest.mark.parametrize(("n", "d", "far"), [(3000, 3, 1e3), (3000, 10, 1e6)])
def test_a_mean_in_a_found_ball_errs_as_predicted(n: int, d: int, far: float) -> None:
    """As above, 12 runs of d numbers."""
    plan, squares = dp.plan(located, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET), []
    for seed in range(12):
        x = far + np.random.default_rng(seed).normal(size=(n, d))
        squares.append(float(((plan.run(x=x, simulate=seed)["mean"] - far) ** 2).sum()))
    ratio = math.sqrt(float(np.mean(squares))) / plan.predict()["mean"].error
    assert 1 / 1.5 < ratio < 1.5


def test_where_the_search_sees_nothing_the_error_is_large() -> None:
    plan = dp.plan(located, x=dp.rows(n=100, d=3), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    assert plan.predict()["mean"].error > 1.0


def test_the_mean_of_a_part_that_rows_chose_is_not_predicted() -> None:
    @dp.program
    def parts(x: Any) -> Any:
        halves = dp.split(x, count=2, seed=0)
        ball = dp.ball(centre=[0.0], radius=2.0)
        near = dp.filter_ball(x, ball)
        return {
            "half": dp.release("half", dp.gaussian(share=1.0), dp.mean(dp.clip(halves[0], ball))),
            "near": dp.release("near", dp.gaussian(share=1.0), dp.mean(dp.clip(near[0], ball))),
        }

    found = dp.plan(parts, x=dp.rows(n=1000, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET).predict()
    assert "near" not in found
    assert found["half"].error > 0


def test_an_error_beyond_float64_is_infinite_and_no_warning() -> None:
    spec = load_spec("private_quantiles").set({"quantiles": [1e-300, 0.5], "bound": 100.0, "n": 2000, "d": 1})
    assert spec.plan().predict()["values"].error == math.inf


@pytest.mark.parametrize("rows", ["a", 0, -1, 2.5, True])
def test_a_prediction_is_for_a_number_of_rows(rows: Any) -> None:
    found = dp.plan(plain, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=BUDGET)
    with pytest.raises(dp.PlanError, match="whole number of rows"):
        found.predict(rows)
    assert found.predict(np.int64(500)) == found.predict(500)
