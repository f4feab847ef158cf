"""Moves lead out of local optima that EM alone does not leave."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.fitting import Full, step
from dpframe_plugins.practical.moves import improved


def gridded(rng: np.random.Generator, centres: np.ndarray, size: float = 0.5) -> Points:
    x = centres[rng.integers(len(centres), size=6_000)] + rng.standard_normal((6_000, centres.shape[1]))
    index, counts = np.unique(np.floor(x / size).astype(int), axis=0, return_counts=True)
    return Points(size * (index + 0.5), counts.astype(float), np.full(len(index), size**2 / 12.0))


@pytest.mark.parametrize("spheres", [True, False])
@pytest.mark.parametrize("wrong", [[0, 0, 3, 4, 5, 5], [1, 1, 1, 3, 4, 5]])
def test_two_in_one_cluster_and_one_over_two(wrong: list[int], spheres: bool, rng: np.random.Generator) -> None:
    centres = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [0.0, 10.0], [10.0, 10.0], [20.0, 10.0]])
    data = gridded(rng, centres)
    means = centres[wrong] + 0.3 * rng.standard_normal((6, 2))
    stuck = Full(np.full((1, 6), 1 / 6), means[None], np.broadcast_to(np.eye(2), (1, 6, 2, 2)))
    for _ in range(60):
        stuck, score = step(data, stuck, spheres=spheres)
    gaps = np.linalg.norm(stuck.means[0][:, None] - centres, axis=2)
    assert gaps.min(axis=0).max() > 3.0, "EM alone stays where it is"
    found, after = improved(data, stuck, spheres=spheres)
    gaps = np.linalg.norm(found.means[0][:, None] - centres, axis=2)
    assert gaps.min(axis=0).max() < 0.3
    assert after > score[0]


def test_an_optimum_stays_as_it_is(rng: np.random.Generator) -> None:
    centres = np.array([[0.0, 0.0], [10.0, 0.0]])
    data = gridded(rng, centres)
    best = Full(np.full((1, 2), 0.5), centres[None], np.broadcast_to(np.eye(2), (1, 2, 2, 2)))
    for _ in range(20):
        best = step(data, best)[0]
    assert improved(data, best)[0] is best
