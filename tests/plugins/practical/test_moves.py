"""Moves lead out of local optima that EM alone does not leave."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe_plugins.practical import moves
from dpframe_plugins.practical.cells import Cells, Points
from dpframe_plugins.practical.fitting import Full, step
from dpframe_plugins.practical.moves import improved
from dpframe_plugins.practical.regions import regions


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


@pytest.mark.parametrize("boxed", [True, False])
def test_a_cut_gains_no_more_than_what_its_cells_leave_to_gain(boxed: bool, rng: np.random.Generator) -> None:
    """One component over two clusters gains most of it; the two that fit gain too little to be tried."""
    centres = np.array([[0.0, 0.0], [12.0, 0.0], [24.0, 0.0], [36.0, 0.0]])
    points = gridded(rng, centres)
    level = Cells(0.5, np.round(points.positions / 0.5 - 0.5).astype(np.int64), points.weights)
    data = regions([level], np.zeros(2)) if boxed else points
    assert data is not None
    means = np.array([[0.0, 0.0], [12.0, 0.0], [30.0, 0.0]])
    shapes = np.array([np.eye(2), np.eye(2), np.diag([37.0, 1.0])])
    model = Full(np.array([[0.25, 0.25, 0.5]]), means[None], shapes[None])
    logs = moves.log_joint(data, *(part[0] for part in (model.weights, model.means, model.covariances)))
    own = np.exp(logs - logs.max(axis=0))
    own /= own.sum(axis=0)
    most = moves._most(data, own * data.weights, logs - np.log(model.weights[0])[:, None])
    gains = [moves._cut(data, model, own[j], j, spheres=False)[0] for j in range(3)]
    assert (most >= gains).all()
    assert gains[2] > 0.5 * most[2] > 0.2 * data.weights.sum()
    tried = dict[int, moves.Cut]()
    next(moves._moves(data, model, tried, spheres=False))
    assert list(tried) == [2]
