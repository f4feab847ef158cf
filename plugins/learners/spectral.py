"""Spectral clustering of one block: the leading singular directions, then single linkage (VW02; AM05).

Whitening a block by its own covariance would leave nothing for singular vectors to find: every direction has variance
1. So the block is whitened by its *local* scatter, that of differences between near rows, which are mostly of one
component; against it the directions between components are the long ones. Every step is a function of distances in
whitened coordinates, so the learner is affine-equivariant.

After Vempala and Wang (2002) and, for the second round with the clusters' own pooled scatter, Achlioptas and McSherry
(2005).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.plugin import learner

Floats = np.ndarray[Any, np.dtype[np.float64]]
Labels = np.ndarray[Any, np.dtype[np.int64]]
Model = tuple[Floats, Floats, Floats]
MOST_COMPONENTS = 8
MOST_LINKED = 1200
"""Rows that are linked; the others join the nearest component."""
LIGHTEST = 0.3
"""A cluster holds at least this fraction of 1/k of the rows that are linked."""
NEAR = 6
"""Differences to the m/(6k) nearest rows count as local."""
REASSIGNMENTS = 8


def fit(rows: Floats, k: int, generator: np.random.Generator) -> Model:
    """Weights (k,), means (k, d) and covariances (k, d, d) of k clusters.

    Parameters
    ----------
    rows : ndarray, shape (m, d)
    k : int
    generator : numpy.random.Generator
        For the rows that are linked, if there are more than 1200.

    Raises
    ------
    ValueError
        When no cut of the linkage leaves k clusters that are large enough: the block is then ⊥.
    numpy.linalg.LinAlgError
        When the rows or a cluster do not span the space.
    """
    white, centre, root = _whitened(rows, np.cov(rows.T).reshape(rows.shape[1], -1))
    chosen = generator.permutation(len(white))[:MOST_LINKED]
    part = white[chosen]
    labels = _linked(part, k, _local_scatter(part, k))
    labels = _linked(part, k, _pooled(part, labels, k)) if k > 1 else labels
    model = _moments(part, labels, k)
    for _ in range(REASSIGNMENTS if k > 1 else 1):
        model = _moments(white, _nearest(white, model), k)
    weights, means, covariances = model
    return weights, np.asarray(centre + means @ root.T), np.asarray(root @ covariances @ root.T)


def _whitened(rows: Floats, scatter: Floats) -> tuple[Floats, Floats, Floats]:
    root = np.asarray(np.linalg.cholesky(scatter), dtype=np.float64)
    centre = np.asarray(rows.mean(axis=0))
    return np.linalg.solve(root, (rows - centre).T).T, centre, root


def _distances(rows: Floats) -> Floats:
    squares = (rows * rows).sum(axis=1)
    out = squares[:, None] + squares[None, :] - 2 * rows @ rows.T
    np.fill_diagonal(out, 0.0)
    distances: Floats = np.sqrt(np.maximum(out, 0.0))
    return distances


def _local_scatter(rows: Floats, k: int) -> Floats:
    """Scatter of the differences to the nearest rows."""
    count = max(2, len(rows) // (NEAR * k))
    nearest = np.argpartition(_distances(rows), count, axis=1)[:, : count + 1]
    steps = (rows[nearest] - rows[:, None]).reshape(-1, rows.shape[1])
    scatter: Floats = steps.T @ steps / len(steps)
    return scatter


def _pooled(rows: Floats, labels: Labels, k: int) -> Floats:
    """Scatter within the clusters; rows of none are left out."""
    centred = np.vstack([rows[labels == j] - rows[labels == j].mean(axis=0) for j in range(k)])
    return np.asarray(centred.T @ centred / len(centred))


def _linked(rows: Floats, k: int, scatter: Floats) -> Labels:
    """Whiten by the scatter, project on the k − 1 leading directions (centred means span no more), link."""
    if k == 1:
        return np.zeros(len(rows), dtype=np.int64)
    white = _whitened(rows, scatter)[0]
    _, _, directions = np.linalg.svd(white, full_matrices=False)
    return _cut(white @ directions[: k - 1].T, k)


def _cut(points: Floats, k: int) -> Labels:
    """Single linkage, cut at the longest level at which k clusters are large; −1 for rows of small clusters.

    Links of the minimal spanning tree are taken out, longest first, until k parts are large enough.
    """
    ends, lengths = _spanning_tree(points)
    least = LIGHTEST * len(points) / k
    order = np.argsort(lengths)[::-1]
    for removed in range(1, len(order) + 1):
        labels = _parts(len(points), ends[order[removed:]])
        sizes = np.bincount(labels)
        large = np.flatnonzero(sizes >= least)
        if len(large) == k:
            place = np.full(len(sizes), -1, dtype=np.int64)
            place[large] = np.arange(k)
            out: Labels = place[labels]
            return out
        if sizes.max() < least or removed > len(points) // 2:
            break
    raise ValueError(f"no level of the linkage has {k} large clusters")


def _spanning_tree(points: Floats) -> tuple[Labels, Floats]:
    """Prim's algorithm: ends (m − 1, 2) and lengths of the links."""
    m = len(points)
    reached, link = np.full(m, np.inf), np.zeros(m, dtype=np.int64)
    inside = np.zeros(m, dtype=np.bool_)
    ends, lengths, last = np.zeros((m - 1, 2), dtype=np.int64), np.zeros(m - 1), 0
    for i in range(m - 1):
        inside[last] = True
        away = np.sqrt(((points - points[last]) ** 2).sum(axis=1))
        closer = (away < reached) & ~inside
        reached[closer], link[closer] = away[closer], last
        last = int(np.argmin(np.where(inside, np.inf, reached)))
        ends[i], lengths[i] = (link[last], last), reached[last]
    return ends, lengths


def _parts(m: int, links: Labels) -> Labels:
    """Labels of the connected parts, by pointers to the smallest index."""
    smallest = np.arange(m)
    while True:
        before = smallest.copy()
        np.minimum.at(smallest, links[:, 0], smallest[links[:, 1]])
        np.minimum.at(smallest, links[:, 1], smallest[links[:, 0]])
        smallest = smallest[smallest]
        if np.array_equal(before, smallest):
            return np.unique(smallest, return_inverse=True)[1]


def _moments(rows: Floats, labels: Labels, k: int) -> Model:
    parts = [rows[labels == j] for j in range(k)]
    counts = np.array([len(p) for p in parts], dtype=np.float64)
    d = rows.shape[1]
    covariances = np.array([np.cov(p.T).reshape(d, d) for p in parts])
    return counts / counts.sum(), np.array([p.mean(axis=0) for p in parts]), covariances


def _nearest(rows: Floats, model: Model) -> Labels:
    """The likeliest component of each row."""
    scores = np.empty((len(model[0]), len(rows)))
    for j, (weight, mean, covariance) in enumerate(zip(*model, strict=True)):
        root = np.linalg.cholesky(covariance)
        seen = np.linalg.solve(root, (rows - mean).T)
        scores[j] = np.log(weight) - np.log(np.diagonal(root)).sum() - (seen * seen).sum(axis=0) / 2
    labels: Labels = np.argmax(scores, axis=0)
    return labels


def _of(k: int) -> Callable[[Floats, np.random.Generator], Model]:
    def spectral(rows: Floats, generator: np.random.Generator) -> Model:
        return fit(rows, k, generator)

    spectral.__doc__ = f"Spectral clustering into {k} components."
    return spectral


for _k in range(1, MOST_COMPONENTS + 1):
    learner(f"spectral_{_k}")(_of(_k))
