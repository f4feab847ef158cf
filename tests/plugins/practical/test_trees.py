"""Trees of noisy counts against dense linear algebra: all counts at once, as one Gaussian."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe_plugins.practical import dense, trees
from dpframe_plugins.practical.records import Floats
from dpframe_plugins.practical.trees import Grid, Tree, planted


def grown(rng: np.random.Generator) -> Tree:
    """Three grids in two columns: some cells have all children, some one, one has no parent."""
    first = np.array([[0, 0], [0, 1], [1, 0]])
    second = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]])
    third = np.array([[0, 0], [9, 9]])
    grids = [
        Grid(at, 2.0**-at, index, 50.0 * rng.random(len(index)), np.full(len(index), 4.0 + at))
        for at, index in enumerate((first, second, third))
    ]
    return planted(grids, np.zeros(2), (300.0, 9.0))


def leaves_below(tree: Tree) -> list[tuple[Floats, float, float]]:
    """Of every measured node: which leaves it sums, its count, its noise's variance."""
    found = []
    count = len(tree.volumes)
    below: list[Floats] = []
    for depth in range(len(tree.layers))[::-1]:
        layer = tree.layers[depth]
        sums = np.zeros((len(layer.parent), count))
        sums[layer.leaf >= 0, layer.leaf[layer.leaf >= 0]] = 1.0
        if depth + 1 < len(tree.layers):
            np.add.at(sums, tree.layers[depth + 1].parent, below[-1])
        below.append(sums)
        found += [
            (row, float(c), float(v))
            for row, c, v in zip(sums, layer.measured, layer.variance, strict=True)
            if np.isfinite(v)
        ]
    return found


def test_counts_given_all_releases_are_those_of_one_gaussian(rng: np.random.Generator) -> None:
    tree = grown(rng)
    expected, spread = 30.0 + 40.0 * rng.random(len(tree.volumes)), 5.0 + 20.0 * rng.random(len(tree.volumes))
    rows = leaves_below(tree)
    sums, counts, noise = (np.array([row[i] for row in rows]) for i in range(3))
    wide = sums @ np.diag(spread) @ sums.T + np.diag(noise)
    off = counts - sums @ expected
    log = -0.5 * (off @ np.linalg.solve(wide, off) + np.linalg.slogdet(wide)[1])
    mean = expected + spread * (sums.T @ np.linalg.solve(wide, off))
    found, score = tree.posterior(expected, spread)
    np.testing.assert_allclose(found, np.maximum(mean, 0.0), rtol=1e-9)
    assert score == pytest.approx(log, rel=1e-9)
    assert tree.evidence(expected, spread) == pytest.approx(log, rel=1e-9)


def test_leaves_part_the_space(rng: np.random.Generator) -> None:
    tree = grown(rng)
    inside = rng.random((20_000, 2)) * 2.5
    at = tree.places(inside)
    share = np.bincount(at, minlength=len(tree.volumes)) / len(inside)
    assert tree.volumes.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(share, tree.volumes, atol=0.03)  # the box of all cells is [0, 2.5]²
    assert (tree.places(np.array([[-1.0, 0.5], [40.0, 0.5], [1.9, 1.9]])) == 0).all()


def test_a_cell_without_its_parent_belongs_to_the_next_one_above(rng: np.random.Generator) -> None:
    tree = grown(rng)
    assert [len(layer.parent) for layer in tree.layers] == [1, 5, 6, 2]
    alone = tree.places(np.array([[2.3, 2.3]]))[0]
    assert alone in tree.layers[1].leaf


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_all_counts_of_grids_are_used_once(columns: int, rng: np.random.Generator) -> None:
    """Where noise is tiny, what leaves are given is what is in them."""
    x = 0.2 * rng.standard_normal((20_000, columns))
    sides = dense.SIDES[columns]
    released = []
    for side in sides:
        edges = np.array(dense.edges(1, side)[0])
        place = np.zeros(len(x), dtype=np.int64)
        for column in x.T:
            place = place * 2**side + np.searchsorted(edges, column, side="right")
        released.append(np.bincount(place, minlength=2 ** (side * columns)).astype(float))
    tree = dense.nested(released, [1e-6] * len(sides), columns, (20_000.0, 1e-12))
    assert len(tree.volumes) <= trees.MOST_LEAVES + 1
    counts = np.bincount(tree.places(x), minlength=len(tree.volumes)).astype(float)
    ends = np.concatenate([layer.measured[layer.leaf >= 0] for layer in tree.layers])
    order = np.concatenate([layer.leaf[layer.leaf >= 0] for layer in tree.layers])
    known = order > 0
    np.testing.assert_allclose(ends[known], counts[order[known]], atol=1e-6)
    assert counts[0] == 0.0
    slow = Tree(tree.layers, tree.volumes, tree.grids, tree.offset, tree.reach)
    np.testing.assert_array_equal(slow.places(x), tree.places(x))
