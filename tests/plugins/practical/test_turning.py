"""Directions that the leading variance misses: found where clusters lie side by side, and nowhere else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import dpframe as dp
from dpframe.estimators import PrivateGaussianMixture
from dpframe_plugins.practical.subspace import SPAN, Subspace, identity_subspace, subspace
from dpframe_plugins.practical.turning import NEAR, turned
from tests.plugins.classic.runs import rotation

Floats = NDArray[np.float64]


def side_by_side(k: int, d: int, n: int, *, apart: float = 8.0, wide: float = 10.0, seed: int = 0) -> Floats:
    """So many equal clusters on a line across, ``apart`` thicknesses from each other, ``wide`` times as long."""
    rng = np.random.default_rng([seed, k, d])
    rows = rng.standard_normal((n, d)) * np.array([1.0, *[wide] * (d - 1)])
    rows[:, 0] += apart * (rng.integers(0, k, n) - 0.5 * (k - 1))
    return np.asarray(rows @ rotation(d).T)


def released(rows: Floats, rank: int, *, std: float = 0.0) -> tuple[Subspace, Floats]:
    """The subspace and the second covariance, as the nodes see them, with noise of this deviation in both."""
    n, d = rows.shape
    rng = np.random.default_rng(1)
    framed = rows / np.linalg.norm(rows, axis=1).max()

    def noise() -> Floats:
        drawn = np.triu(rng.standard_normal((d, d)), 1) / math.sqrt(2.0)
        return np.asarray(std * (drawn + drawn.T + np.diag(rng.standard_normal(d))))

    space = subspace(framed.T @ framed + noise(), std, n, rank)
    assert space.spread is not None
    white = framed @ space.spread.white() / (NEAR * math.sqrt(d))
    white /= np.maximum(1.0, np.linalg.norm(white, axis=1))[:, None]
    signs = np.zeros((d, d))
    m = space.spread.clear
    signs[:m, :m] = white.T @ white
    return space, signs + noise()


@pytest.mark.parametrize(("k", "d"), [(2, 4), (2, 8), (3, 5), (5, 6)])
def test_clusters_side_by_side_are_seen(k: int, d: int) -> None:
    rows = side_by_side(k, d, 40_000, wide=4.0 * k)
    space, signs = released(rows, max(k - 1, 1))
    found = turned(space, signs, 0.0, len(rows), mutes=True)
    assert found.back is not None
    seen = (rows / np.linalg.norm(rows, axis=1).max()) @ found.basis * SPAN
    clear = np.flatnonzero(np.abs(found.basis).max(axis=0) > 0.0)
    assert clear.tolist() == [0]  # what looks like a Gaussian's is left out
    line = np.sort(seen[:, 0])
    gaps = np.sort(np.diff(line[len(line) // 100 : -(len(line) // 100)]))[-(k - 1) :]
    assert seen[:, 0].std() == pytest.approx(1.0, rel=0.01)
    assert gaps.min() > 5.0 * np.median(np.diff(line))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("condition", [1.0, 30.0])
def test_a_gaussian_table_keeps_its_leading_directions(seed: int, condition: float) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((30_000, 6)) * np.sqrt(np.geomspace(1.0, 1.0 / condition, 6))
    space, signs = released(rows, 2, std=30.0)
    assert turned(space, signs, 30.0, len(rows)) is space


def test_clusters_that_leading_directions_show_keep_them() -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((30_000, 6)) + 12.0 * np.eye(6)[rng.integers(0, 3, 30_000)]
    space, signs = released(rows - rows.mean(axis=0), 2)
    assert turned(space, signs, 0.0, len(rows)) is space


def test_noise_hides_them() -> None:
    rows = side_by_side(2, 5, 20_000)
    space, signs = released(rows, 1)
    assert turned(space, signs, 0.0, len(rows)).back is not None
    assert turned(space, signs, 2_000.0, len(rows)) is space


def test_without_a_gram_matrix_nothing_is_turned() -> None:
    space = identity_subspace(4)
    assert turned(space, np.eye(4), 1.0, 1000.0) is space


@pytest.mark.parametrize("mutes", [False, True])
def test_what_is_lifted_has_the_covariance_of_the_table(mutes: bool) -> None:
    rows = side_by_side(3, 5, 40_000)
    space, signs = released(rows, 2)
    found = turned(space, signs, 0.0, len(rows), mutes=mutes)
    assert found.back is not None
    inside = np.eye(2) / SPAN**2
    _, covariances = found.whole(np.zeros((1, 2)), inside[None], 1.0)
    framed = rows / np.linalg.norm(rows, axis=1).max()
    np.testing.assert_allclose(covariances[0], framed.T @ framed / len(rows), rtol=1e-3, atol=1e-6)
    coordinates = np.array([[0.1, 0.0]])
    means, _ = found.whole(coordinates, inside[None], 1.0)
    np.testing.assert_allclose((means @ found.basis)[0, 0], 0.1, rtol=1e-6)


@pytest.mark.parametrize(("n", "d", "asked"), [(30_000, 5, True), (30_000, 3, False), (30_000, 20, False)])
def test_the_second_covariance_is_released_where_it_can_show(n: int, d: int, asked: bool) -> None:
    """In three columns and less all cells are counted, and there is no subspace."""

    @dp.program
    def learn(x: Any) -> Any:
        return dp.apply("mixture", dp.recipe("practical_mixture", k=3, bound=10.0), x)

    plan = dp.plan(learn, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    assert ("signs" in plan.explain(full=True)) is asked


@pytest.mark.slow
@pytest.mark.parametrize(("k", "d", "n"), [(2, 5, 30_000), (3, 5, 30_000), (4, 6, 100_000)])
def test_the_learner_finds_them(k: int, d: int, n: int) -> None:
    """Before, the means were half the distance off in every run."""
    rows = side_by_side(k, d, n, seed=7)
    model = PrivateGaussianMixture(k, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=1000.0, simulate=3).fit(
        rows
    )
    line = np.sort(model.means_ @ rotation(d)[:, 0])
    np.testing.assert_allclose(line, 8.0 * (np.arange(k) - 0.5 * (k - 1)), atol=0.2)
