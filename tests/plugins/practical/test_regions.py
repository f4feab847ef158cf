"""Mixtures on cells by the mass in them: exact where it can be, and right where clusters are smaller than cells."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import truncnorm

from dpframe_plugins.practical import deconvolution, regions
from dpframe_plugins.practical.records import Cells
from dpframe_plugins.practical.subspace import identity_subspace


def level(size: float, index: list[list[int]], counts: list[float]) -> Cells:
    return Cells(size, np.array(index, dtype=np.int64).reshape(len(counts), -1 if counts else 2), counts)


@pytest.mark.parametrize("low", [-30.0, -3.0, -0.1, 0.0, 2.0, 29.0])
@pytest.mark.parametrize("width", [1e-3, 0.5, 10.0])
def test_truncated_normals(low: float, width: float) -> None:
    mass, mean, variance = regions.truncated(np.array(low + 0.5 * width), np.array(0.5 * width))
    law = truncnorm(low, low + width)
    assert low <= mean <= low + width
    assert mean == pytest.approx(law.mean(), abs=1e-4)
    assert 0.0 <= variance <= width**2 / 12.0 + 1e-15
    if width < 1e-2:
        assert variance == pytest.approx(width**2 / 12.0, rel=0.05, abs=1e-6)
    else:
        assert variance == pytest.approx(law.var(), rel=1e-3)
    assert np.isfinite(mass)


def test_far_boxes_are_finite() -> None:
    for box in ((1e8, 0.5), (-1e200, 1e199), (0.0, 1e-300), (0.0, 1e300), (-40.0, 1e-9)):
        for value in regions.truncated(*map(np.array, box)):
            assert np.isfinite(value)


@pytest.mark.parametrize("slope", [0.0, 0.6])
def test_moments_in_a_box_with_a_hole(slope: float) -> None:
    """Against 4e5 rows; exact without slope, column by column (so nearly right) with it."""
    covariance = np.array([[1.0, slope], [slope, 1.0]])
    data = regions.Regions([[0.5, 0.0]], [1.0], [4.0 / 12.0], [[0.0, 0.5]], [1.0 / 12.0], np.array([0]))
    x = np.random.default_rng(0).multivariate_normal([0.2, 0.0], covariance, 400_000)
    inside = (np.abs(x - [0.5, 0.0]) < 1.0).all(axis=1) & ~(np.abs(x - [0.0, 0.5]) < 0.5).all(axis=1)
    seen = regions.seen(data, np.array([[0.2, 0.0]]), covariance[None])
    first, second = seen.moments(np.ones((1, 1)))
    loose = 0.03 if slope else 0.004
    assert np.exp(seen.densities[0, 0] + data.log_volumes()[0]) == pytest.approx(inside.mean(), abs=loose)
    away = x[inside] - [0.2, 0.0]
    np.testing.assert_allclose(first[0], away.mean(axis=0), atol=2 * loose)
    np.testing.assert_allclose(second[0], away.T @ away / len(away), atol=2 * loose)


def test_spheres_are_the_general_case() -> None:
    levels = [level(2.0, [[0, 0], [1, 0]], [90.0, 50.0]), level(1.0, [[0, 0], [3, 1]], [40.0, 20.0])]
    data = regions.regions(levels, np.array([-1.0, -1.0]))
    assert data is not None
    assert data.weights.tolist() == [50.0, 30.0, 40.0, 20.0]
    assert data.owners.tolist() == [0, 1]
    means, shapes = np.array([[0.0, 0.3], [2.0, 0.0]]), np.array([0.5, 2.0])[:, None, None] * np.eye(2)
    general, round_ones = (regions.seen(data, means, shapes, spheres=told) for told in (False, True))
    np.testing.assert_allclose(general.densities, round_ones.densities, rtol=1e-9)
    share = np.array([[0.2, 0.4, 0.9, 1.0], [0.8, 0.6, 0.1, 0.0]])
    for a, b in zip(general.moments(share), round_ones.moments(share), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    part = data.part(np.array([False, True, True, False]), np.array([1.0, 2.0]))
    assert part.owners.tolist() == [0]
    assert part.holes.tolist() == [[2.5, 0.5]]


@pytest.mark.parametrize(
    "levels",
    [
        [],
        [level(1.0, [], [])],
        [level(2.0, [[0, 0]], [10.0]), level(1.0, [], [])],
        [level(2.0, [[0, 0]], [10.0]), level(1.0, [[0, 0], [0, 1], [1, 0], [1, 1]], [40.0, 40.0, 40.0, 40.0])],
    ],
)
def test_what_is_left(levels: list[Cells]) -> None:
    found = regions.regions(levels, np.zeros(2))
    if found is None:
        assert not any(len(c.counts) for c in levels)
    else:
        assert (found.weights > 0.0).all()
        assert np.isfinite(found.log_volumes()).all()


def test_narrow_clusters_on_the_corners_of_cells() -> None:
    """Six clusters a tenth of a cell wide; one lies on a corner, and its four cells looked like clusters."""
    rng = np.random.default_rng(3)
    centres = np.array(
        [[1.0, 1.0, 1.0], [3.4, 0.5, 2.5], [0.5, 3.5, 0.5], [3.5, 3.4, 3.5], [0.5, 0.6, 3.4], [3.5, 3.5, 0.5]]
    )
    sizes = [4_000, 600, 600, 600, 600, 600]
    x = np.concatenate([c + 0.1 * rng.standard_normal((n, 3)) for c, n in zip(centres, sizes, strict=True)])
    levels = []
    for size in (4.0, 2.0, 1.0):
        index, counts = np.unique(np.floor(x / size).astype(np.int64), axis=0, return_counts=True)
        noisy = counts + 20.0 * rng.standard_normal(len(counts))
        levels.append(Cells(size, index[noisy > 120.0], noisy[noisy > 120.0]))
    starts = deconvolution.first_mixtures(levels, np.zeros(3), 6, identity_subspace(3), 0)
    assert starts is not None
    gaps = np.linalg.norm(starts.candidates[0].means[:, None] - centres, axis=2)
    assert sorted(gaps.argmin(axis=1)) == [0, 1, 2, 3, 4, 5]
    assert gaps.min(axis=0).max() < 0.6
