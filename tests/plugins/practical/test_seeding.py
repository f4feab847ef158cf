"""Cells to points, points to a first mixture."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe_plugins.practical import cells, seeding
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.records import Cells
from dpframe_plugins.practical.subspace import Subspace, identity_subspace


def level(size: float, table: dict[tuple[int, ...], float]) -> Cells:
    index = np.array(list(table), dtype=np.int64).reshape(len(table), -1)
    return Cells(size, index, np.array(list(table.values())))


@pytest.mark.parametrize(
    ("levels", "kept"),
    [
        # children hold more than half: the parent gives way
        ([level(2.0, {(0,): 100.0}), level(1.0, {(0,): 60.0})], [(1, 0)]),
        # half or less: it stays, and they do not count twice
        ([level(2.0, {(0,): 100.0}), level(1.0, {(0,): 50.0})], [(0, 0)]),
        # together they do
        ([level(2.0, {(0,): 100.0}), level(1.0, {(0,): 30.0, (1,): 30.0})], [(1, 0), (1, 1)]),
        # negative indices belong to parent floor(i / 2); an unpublished parent leaves an orphan
        ([level(2.0, {(-1,): 100.0}), level(1.0, {(-1,): 90.0, (3,): 40.0})], [(1, 0), (1, 1)]),
        # grandchildren of a parent that stays are dropped with its children
        ([level(4.0, {(0,): 100.0}), level(2.0, {(0,): 40.0}), level(1.0, {(0,): 39.0})], [(0, 0)]),
    ],
)
def test_a_parent_gives_way_to_children_with_more_than_half(levels: list[Cells], kept: list[tuple[int, int]]) -> None:
    assert sorted(cells.leaves(levels)) == kept


def test_points_are_centres_of_cells() -> None:
    found = cells.points([level(2.0, {(0, 1): 7.0})], np.array([10.0, -10.0]))
    assert found is not None
    np.testing.assert_array_equal(found.positions, [[11.0, -7.0]])
    np.testing.assert_array_equal(found.weights, [7.0])
    np.testing.assert_allclose(found.variances, [4.0 / 12.0])
    empty = Cells(1.0, np.zeros((0, 2), dtype=np.int64), np.zeros(0))
    assert cells.points([empty], np.zeros(2)) is None


def blobs(rng: np.random.Generator, centers: np.ndarray, size: float = 0.5, rows: int = 4000) -> Points:
    x = centers[rng.integers(len(centers), size=rows)] + rng.standard_normal((rows, centers.shape[1]))
    index, counts = np.unique(np.floor(x / size).astype(int), axis=0, return_counts=True)
    kept = counts > 15
    return Points(size * (index[kept] + 0.5), counts[kept].astype(float), np.full(kept.sum(), size**2 / 12.0))


def test_the_first_mixture_finds_blobs_and_repeats_itself(rng: np.random.Generator) -> None:
    centers = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [8.0, 8.0], [30.0, 30.0]])
    data = blobs(rng, centers)
    found = seeding.spherical_em(data, 5, 0)
    gaps = np.linalg.norm(found.means[0][:, None] - centers[None], axis=2)
    assert sorted(gaps.argmin(axis=1)) == [0, 1, 2, 3, 4]
    assert gaps.min(axis=1).max() < 0.3
    np.testing.assert_allclose(found.weights[0], 0.2, atol=0.05)
    np.testing.assert_array_equal(found.means, seeding.spherical_em(data, 5, 0).means)


def test_no_component_is_wasted_on_stray_cells(rng: np.random.Generator) -> None:
    data = blobs(rng, np.array([[0.0, 0.0], [9.0, 0.0]]))
    stray = Points(
        np.concatenate([data.positions, [[40.0, 40.0], [-30.0, 35.0]]]),
        np.concatenate([data.weights, [30.0, 30.0]]),
        np.concatenate([data.variances, [5.0, 5.0]]),
    )
    found = seeding.spherical_em(stray, 2, 0)
    assert sorted(np.round(found.means[0][:, 0] / 9.0)) == [0.0, 1.0]


@pytest.mark.parametrize("components", [1, 3, 7])
def test_fewer_points_than_components(components: int) -> None:
    data = Points(np.array([[1.0, 2.0], [1.0, 3.0]]), np.array([5.0, 5.0]), np.array([0.1, 0.1]))
    found = seeding.spherical_em(data, components, 0)
    assert np.isfinite(found.means).all()
    assert found.weights.sum() == pytest.approx(1.0)
    assert (found.variances > 0.0).all()


def test_lifting_keeps_the_subspace_and_shares_the_rest() -> None:
    basis = np.eye(4)[:, [2, 0]]
    model = seeding.Spherical([[0.25, 0.75]], [[[1.0, 2.0], [3.0, 4.0]]], [[0.5, 2.0]])
    lifted = seeding.lift(model, Subspace(basis, 0.3))
    np.testing.assert_allclose(lifted.means, [[2.0, 0.0, 1.0, 0.0], [4.0, 0.0, 3.0, 0.0]])
    np.testing.assert_allclose(lifted.covariances[0], np.diag([0.5, 0.3, 0.5, 0.3]), atol=1e-12)
    np.testing.assert_allclose(lifted.covariances[1], np.diag([2.0, 0.3, 2.0, 0.3]), atol=1e-12)
    whole = seeding.lift(model, identity_subspace(2))
    np.testing.assert_allclose(whole.covariances[1], 2.0 * np.eye(2))
