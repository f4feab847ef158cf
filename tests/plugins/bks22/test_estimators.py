"""What runs in the frame of public rows beside CoinPress: clip and noise, AL22, a choice from a cover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe_plugins.bks22.estimators import MOST_MEMBERS, cover, cover_size

PURE, RHO, APPROX = dp.pure_dp(epsilon=1.0), dp.zcdp(rho=0.1), dp.approx_dp(epsilon=1.0, delta=1e-6)


def planned(recipe: Any, n: int | None, d: int, budget: Any, *, public: bool = True) -> Any:
    tables: dict[str, Any] = {"x": dp.rows(n=n, d=d)} | ({"public": dp.public_rows(d=d)} if public else {})
    adjacency = dp.REPLACE_ONE if n else dp.ADD_REMOVE

    @dp.program
    def with_public(x: Any, public: Any) -> Any:
        return dp.release("found", recipe, x, public)

    @dp.program
    def without(x: Any) -> Any:
        return dp.release("found", recipe, x)

    return dp.plan(with_public if public else without, adjacency=adjacency, budget=budget, **tables)


@pytest.mark.parametrize("budget", [PURE, RHO, APPROX])
@pytest.mark.parametrize("n", [20_000, None])
def test_one_public_row_and_clip_and_noise(budget: Any, n: int | None) -> None:
    """Under every budget, pure ε too: 3 columns clipped near 8 deviations leave 3·2·8/20000 of noise."""
    rng = np.random.default_rng(1)
    rows, public = rng.normal(1e6, 1.0, (20_000, 3)), rng.normal(1e6, 1.0, (1, 3))
    plan = planned(dp.recipe("bks22_mean", estimator="clip_and_noise_mean"), n, 3, budget)
    found = plan.run(x=rows, public=public, simulate=2)["found"]
    assert np.linalg.norm(found.mean - 1e6) < 0.06


def test_pure_noise_without_rows_fails() -> None:
    plan = planned(dp.recipe("clip_and_noise_mean", bound=5.0, scale=1.0), 20, 2, PURE, public=False)
    assert plan.run(x=np.zeros((20, 2)), simulate=1).status == "failed"


def test_estimators_run_in_parts() -> None:
    """CoinPress with and without a bound, and clip and noise: of rows that a public ball parts."""

    @dp.program
    def program(x: Any, public: Any) -> Any:
        near, _ = dp.filter_ball(x, ([0.0, 0.0], 50.0))
        names = {
            "told": dp.recipe("coinpress_gaussian", bound=1e4, share=1.0),
            "free": dp.recipe("coinpress_gaussian", share=1.0),
            "framed": dp.recipe("precondition", estimator="coinpress_gaussian", share=1.0),
            "clipped": dp.recipe("precondition", estimator="clip_and_noise_mean", share=1.0),
        }
        tables = {name: (near, public) if name in ("framed", "clipped") else (near,) for name in names}
        return {name: dp.release(name, recipe, *tables[name]) for name, recipe in names.items()}

    rng = np.random.default_rng(3)
    rows = np.vstack([rng.normal(size=(20_000, 2)), rng.normal(1000.0, 1.0, (20_000, 2))])
    for budget in (dp.zcdp(rho=0.5), dp.approx_dp(epsilon=4.0, delta=1e-6)):
        plan = dp.plan(
            program, x=dp.rows(n=40_000, d=2), public=dp.public_rows(d=2), adjacency=dp.REPLACE_ONE, budget=budget
        )
        result = plan.run(x=rows, public=rng.normal(size=(20, 2)), simulate=1)
        for name in ("told", "free", "framed"):
            assert np.linalg.norm(result[name].mean) < 0.1
            assert np.allclose(result[name].covariance, np.eye(2), atol=0.2)


@pytest.mark.slow
def test_al22_needs_a_whole_table_and_says_how_many_rows() -> None:
    @dp.program
    def parts(x: Any) -> Any:
        near, _ = dp.filter_ball(x, ([0.0], 9.0))
        return dp.release("found", dp.recipe("al22_gaussian"), near)

    with pytest.raises(dp.PlanError, match=r"it would need about \d{4,6} of 1 columns"):
        dp.plan(parts, x=dp.rows(n=1000, d=1), adjacency=dp.REPLACE_ONE, budget=APPROX)


@pytest.mark.slow
def test_al22_in_the_frame_of_public_rows_takes_deviations_far_apart() -> None:
    """1e7 apart, condition number 1e14: in the public frame the blocks agree."""
    rng = np.random.default_rng(4)
    scale = np.array([1.0, 1e7])
    rows, public = rng.normal(size=(200_000, 2)) * scale, rng.normal(size=(6, 2)) * scale
    framed = planned(dp.recipe("precondition", estimator="al22_gaussian"), 200_000, 2, APPROX)
    found = framed.run(x=rows, public=public, simulate=1)["found"]
    assert np.abs(found.mean / scale).max() < 0.3
    assert np.allclose(found.covariance / np.outer(scale, scale), np.eye(2), atol=0.5)


@pytest.mark.parametrize("budget", [PURE, APPROX])
def test_one_column_is_chosen_from_a_cover(budget: Any) -> None:
    rng = np.random.default_rng(5)
    recipe = dp.recipe("cover_gaussian", bound=100.0, condition=100.0, step=0.5)
    for n in (4000, None):
        found = planned(recipe, n, 1, budget, public=False).run(x=rng.normal(30.0, 4.0, (4000, 1)), simulate=1)["found"]
        assert abs(found.mean[0] - 30.0) < 4.0
        assert 2.0 < found.covariance[0, 0] ** 0.5 < 8.0


@pytest.mark.slow
def test_the_public_frame_bounds_the_cover() -> None:
    """One column anywhere, pure ε, no bound: 12 public rows, and 7,000 private ones choose."""
    rng = np.random.default_rng(6)
    recipe = dp.recipe("precondition", estimator="cover_gaussian", beta=0.2)
    plan = planned(recipe, 7000, 1, PURE)
    found = plan.run(x=rng.normal(1e9, 30.0, (7000, 1)), public=rng.normal(1e9, 30.0, (12, 1)), simulate=1)["found"]
    assert abs(found.mean[0] - 1e9) < 30.0
    assert 15.0 < found.covariance[0, 0] ** 0.5 < 60.0


def test_two_columns_and_a_small_cover() -> None:
    rng = np.random.default_rng(7)
    recipe = dp.recipe("cover_gaussian", bound=2.0, condition=4.0, step=1.0)
    rows = rng.multivariate_normal([1.0, -1.0], [[2.5, 1.5], [1.5, 2.5]], size=4000)
    found = planned(recipe, 4000, 2, PURE, public=False).run(x=rows, simulate=1)["found"]
    assert np.linalg.norm(found.mean - [1.0, -1.0]) < 1.2
    assert found.covariance[0, 1] > 0


def test_covers_that_are_too_large_are_refused_with_their_size() -> None:
    for d, parameters, words in (
        (1, {"bound": 1e6, "condition": 100.0}, r"of 1 columns has \d+ members, at most 100000"),
        (2, {"bound": 50.0, "condition": 4.0}, r"of 2 columns has \d+ members, at most 1024"),
        (3, {"bound": 1.0, "condition": 2.0}, "one or two are built"),
        (1, {"bound": 1e100, "condition": 1e100}, "members, at most"),
    ):
        with pytest.raises(dp.PlanError, match=words):
            planned(dp.recipe("cover_gaussian", **parameters), 100, d, PURE, public=False)
    with pytest.raises(dp.PlanError, match="members, at most 1024"):
        planned(dp.recipe("precondition", estimator="cover_gaussian"), 100, 2, PURE)


@pytest.mark.parametrize(("d", "bound", "condition", "step"), [(1, 10.0, 9.0, 0.5), (2, 2.0, 4.0, 0.5)])
def test_every_gaussian_in_bounds_is_near_a_member(d: int, bound: float, condition: float, step: float) -> None:
    """Whitened by the nearest member: the mean within step, the deviations within a factor (1 + step)."""
    rng = np.random.default_rng(8)
    means, roots = cover(d, bound, condition, step)
    assert len(means) == cover_size(d, bound, condition, step) or len(means) > MOST_MEMBERS[d]
    for _ in range(40):
        mean = rng.normal(size=d)
        mean *= bound * rng.random() / np.linalg.norm(mean)
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
        root = turn * np.sqrt(rng.uniform(1.0, condition, d)) @ turn.T
        inverse = np.linalg.inv(roots)
        away = np.linalg.norm(np.einsum("mij,mj->mi", inverse, mean - means), axis=1)
        shape = np.abs(np.log(np.linalg.svd(inverse @ root)[1])).max(axis=1)
        assert np.min(np.maximum(away / step, shape / np.log1p(step))) < 1.5


def test_what_is_no_estimator_is_refused() -> None:
    for name in ("quantile", "bks22_mean", "private_mean_of_nothing"):
        with pytest.raises((dp.PlanError, dp.SpecError)):
            planned(dp.recipe("precondition", estimator=name), 100, 2, RHO)
