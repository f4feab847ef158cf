"""1-cluster and PTerrificBall: what they find, in which order, what their scores move by, what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.errors import DpframeError
from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.plugin import BallValue, Counts, Handle
from dpframe.proof.spaces import LInf
from dpframe_plugins.kssu19.centres import Centres, Scan, smallest
from dpframe_plugins.practical.cells import Points

N, T = 4000, 800
BUDGET = dp.approx_dp(epsilon=8.0, delta=1e-6)


def planned(
    name: str, d: int, n: int | None = N, adjacency: Any = dp.REPLACE_ONE, budget: Any = BUDGET, **keys: Any
) -> Any:
    def program(x: Handle) -> Any:
        return dp.release("ball", dp.recipe(name, **keys), x)

    return dp.plan(dp.program(program), x=dp.rows(n=n, d=d), adjacency=adjacency, budget=budget)


def noisy_table(d: int, seed: int = 0) -> Any:
    """A third of the rows in a cluster of width 1 far out, the others a thousand times as wide."""
    rng = np.random.default_rng([17, seed])
    rows = 1e3 * rng.standard_normal((N, d))
    rows[: N // 3] = 500.0 + rng.standard_normal((N // 3, d))
    return rows


@pytest.mark.parametrize(
    ("d", "keys", "most"),
    [
        (2, {"projection": "none"}, 1.5),
        pytest.param(2, {"projection": "none", "R": 1e6}, 1.5, marks=pytest.mark.slow),
        pytest.param(12, {"rank": 2}, 2.0, marks=pytest.mark.slow),
        (12, {"projection": "random", "rank": 3}, 2.0),
    ],
    ids=str,
)
def test_a_small_ball_with_enough_rows_is_found(d: int, keys: dict[str, Any], most: float) -> None:
    rows = noisy_table(d)
    if keys.get("rank") == 2:  # a cluster off the centre is what PCA sees
        rows[N // 3 :] /= 100.0
    result = planned("kssu19.one_cluster", d, t=T, **keys).run(x=rows, simulate=1)
    assert result.status == "released", result.reason
    ball = result["ball"]
    away = np.sort(np.linalg.norm(rows[: N // 3] - 500.0, axis=1))
    assert ball.radius <= most * away[T]
    assert np.count_nonzero(np.linalg.norm(rows - ball.centre, axis=1) <= ball.radius) >= 0.8 * T


def test_rows_too_few_for_a_cell_are_a_failure() -> None:
    rows = 1e3 * np.random.default_rng(1).standard_normal((60, 6))
    budget = dp.approx_dp(epsilon=0.1, delta=1e-6)
    result = planned("kssu19.one_cluster", 6, n=60, t=5, rank=6, budget=budget).run(x=rows, simulate=1)
    assert result.status == "failed"
    assert result.outputs == {}


# ------------------------------------------------------------------------------------------------ terrific balls


def nested_table() -> Any:
    """Two clusters 40 apart, a pair of them 1000 from a third: terrific balls of two scales."""
    centres = np.array([[0.0, 0.0], [40.0, 0.0], [1000.0, 0.0], [1030.0, 30.0]])
    labels = np.arange(N) % 4
    return centres[labels] + np.random.default_rng(2).standard_normal((N, 2))


@pytest.mark.parametrize(("largest", "low", "high"), [(False, 1.5, 14.0), (True, 30.0, 400.0)])
def test_both_orders_find_their_own_ball(largest: bool, low: float, high: float) -> None:
    """From below one cluster, from above a pair: between 400 and 30 nothing else has three times its radius empty."""
    rows = nested_table()
    result = planned("kssu19.terrific_ball", 2, t=T, c=2.5, largest=largest).run(x=rows, simulate=3)
    ball = result["ball"]
    assert low <= ball.radius <= high
    away = np.linalg.norm(rows - ball.centre, axis=1)
    assert np.count_nonzero(away <= ball.radius) >= 0.7 * T
    assert np.count_nonzero(away > 2.5 * ball.radius) >= 0.7 * T
    assert np.count_nonzero((away > ball.radius) & (away <= 2.5 * ball.radius)) <= 0.3 * T


@pytest.mark.parametrize("largest", [False, True])
def test_one_gaussian_has_no_terrific_ball(largest: bool) -> None:
    rows = np.random.default_rng(4).standard_normal((N, 2))
    result = planned("kssu19.terrific_ball", 2, t=T, largest=largest).run(x=rows, simulate=5)
    assert result.status == "failed"
    assert "none has 800 rows inside" in result.reason


def test_the_released_ball_is_the_one_before_it_was_enlarged() -> None:
    keys: dict[str, Any] = {"t": T, "c": 3.0}
    plain = planned("kssu19.terrific_ball", 2, **keys).run(x=nested_table(), simulate=3)["ball"]
    wide = planned("kssu19.terrific_ball", 2, enlarge=1.2, **keys).run(x=nested_table(), simulate=3)["ball"]
    assert wide.radius == pytest.approx(plain.radius)


def scores_of(rows: Any, centres: Any, r: float, t: int, c: float = 3.0) -> Any:
    """Q(p, r) for every centre."""
    away = np.linalg.norm(rows[None] - centres[:, None], axis=2)
    inner, outer = (away <= r).sum(axis=1), (away <= c * r).sum(axis=1)
    terms = (np.minimum(inner, t), np.minimum(len(rows) - outer, t), t - np.minimum(outer - inner, t))
    return np.minimum.reduce(terms)


def test_t9_l_x_over_rows_moves_by_almost_two_and_over_released_centres_by_one() -> None:
    """As printed, centres are rows: a replaced row changes every score by one, and is a t-th good centre itself."""
    t, r = 10, 1.0
    rows = np.concatenate([np.zeros(t - 1), 50.0 * np.arange(2, 2 * t + 3)])[:, None]
    moved = rows.copy()
    moved[-1] = 0.0

    def literal(table: Any) -> float:
        return float(np.sort(scores_of(table, table, r, t))[-t:].mean())

    assert literal(moved) - literal(rows) == pytest.approx(2.0 - 2.0 / t)
    released = np.array([[0.0], [100.0], [rows[-1, 0]]])
    largest = [scores_of(table, released, r, t).max() for table in (rows, moved)]
    assert largest[1] - largest[0] == 1


@pytest.mark.parametrize(("name", "searches"), [("kssu19.one_cluster", 2), ("kssu19.terrific_ball", 2)])
def test_c11_every_search_is_charged_and_its_score_moves_by_one(name: str, searches: int) -> None:
    plan = planned(name, 2, t=T)
    found = {path[-1]: w for path, w in plan.weighings.items() if path[-1] in ("ball.radius", "ball.centre")}
    assert len(found) == searches
    for weighing in found.values():
        assert [m.bound for m in weighing.worst if isinstance(m, LInf)] == [1.0]


def test_a_perfect_ball_passes_below_t_and_at_t_every_other_time() -> None:
    """Query (4) is at most t: with the threshold at t itself noise alone decides (false alarm below 1e-6)."""

    def share(slack: float) -> float:
        test = AboveThreshold(noise_multiplier=1.0, threshold=(1.0 - slack) * 1000)
        score = Exact(np.array([1000]))
        drawn = test.release_many(score, {"rate": 0.2}, Counts(1), SeededSource(7), 2000)
        return float(np.mean([index is not None for index in drawn]))

    assert share(0.0) == pytest.approx(0.5, abs=0.06)
    assert share(0.3) > 0.999


@pytest.mark.parametrize("name", ["kssu19.one_cluster", "kssu19.terrific_ball"])
def test_add_remove_and_parts_are_priced(name: str) -> None:
    assert planned(name, 2, n=None, adjacency=dp.ADD_REMOVE, t=T).verdict.holds

    def parted(x: Handle) -> Any:
        ball = dp.ball(centre=[0.0, 0.0], radius=9.0)
        part = dp.filter_ball(x, ball)[0]
        return dp.release("ball", dp.recipe(name, t=T), part, ball)

    plan = dp.plan(dp.program(parted), x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    assert plan.verdict.holds


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("kssu19.one_cluster", {"projection": "pcaa"}, "pca, random, none"),
        ("kssu19.one_cluster", {"t": N + 1}, "4001 rows of 4000"),
        ("kssu19.one_cluster", {"t": 0}, "t must be a whole number"),
        ("kssu19.one_cluster", {"slack": 1.0}, "slack"),
        ("kssu19.one_cluster", {"step": 1.0}, "step"),
        ("kssu19.one_cluster", {"levels": 99}, "levels"),
        ("kssu19.terrific_ball", {"c": 1.0}, "c must be a ratio above 1"),
        ("kssu19.terrific_ball", {"enlarge": 2.0}, "enlarge"),
        ("kssu19.terrific_ball", {"centres": 65}, "centres"),
    ],
)
def test_bad_arguments_are_refused(name: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said) as caught:
        planned(name, 2, **{"t": T, **changes})
    assert caught.value.fix


def test_ratios_below_the_theorems_are_said() -> None:
    said = " ".join(planned("kssu19.terrific_ball", 2, t=T).warnings)
    assert "c=3 is below the 5" in said
    assert "step=1.25 is below the 2" in said
    assert not any("theorem" in w for w in planned("kssu19.terrific_ball", 2, t=T, c=5.0, step=2.0).warnings)


def test_radii_come_in_the_order_that_is_asked() -> None:
    ball = BallValue(np.zeros(1), 8.0)
    up = Scan(size=1, radii=4, step=2.0).apply([ball], ball)
    assert [b.radius for b in up] == [1.0, 2.0, 4.0, 8.0]
    assert [b.radius for b in Scan(size=1, radii=4, step=2.0, largest=True).apply([ball], ball)] == [8.0, 4.0, 2.0, 1.0]


def test_centres_of_very_different_scales_are_listed() -> None:
    rng = np.random.default_rng(6)
    rows = np.vstack([rng.normal(0, 1, (300, 2)), rng.normal(500, 30, (300, 2))])
    found = smallest(Points(rows, np.ones(600), np.full(600, 1e-3)), 200.0, 4)
    assert found[0].radius < 3.0
    assert any(np.linalg.norm(ball.centre - 500) < 20 and ball.radius < 80 for ball in found[1:])
    listed = Centres(t=5, size=3).output(dp.SparseCounts(2, 3), dp.Record("grids"))
    assert listed == dp.ListOf(dp.Ball(2), 3)


def test_the_plan_says_how_many_radii_there_are() -> None:
    (scan,) = [
        n.operation for n in planned("kssu19.terrific_ball", 2, t=T).graph.nodes if n.operation.name == "kssu19.scan"
    ]
    assert scan.radii == 1 + math.ceil(10 * math.log(2) / math.log(1.25))
