"""Balls around clusters, from released cells: k times the smallest ball that holds enough (KSSU19 Algorithm 1)."""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import BallValue
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.records import Floats, as_floats
from dpframe_plugins.practical.seeding import Spherical, em_step

REACH = 3.5
"""A ball reaches √p + REACH standard deviations: about all of a Gaussian of p dimensions."""
GROWTHS, STEPS = 20, 40
FULL, FEWER = 0.8, 0.7
"""Part of an equal share that a cluster is first asked to hold, and by what it is lowered."""
ANYWHERE = 0.02
"""Part of the rows that lie anywhere, when clusters are compared."""
MOST_POINTS = 3000
"""Of the cells the fullest ones are searched; that many rows of distances are held."""


@attrs.frozen(eq=False)
class Clusters:
    """Clusters of weighted points: weights (k,), means (k, p), variances (k,) a coordinate."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    variances: Floats = attrs.field(converter=as_floats)


def clusters(data: Points, k: int, least: float) -> Clusters | None:
    """The smallest ball about a released centre that holds enough rows, grown to its cluster; k times.

    With few rows asked for, one cell is a cluster and a component may be several; with many, small ones are missed. So
    numbers from most of an equal share down to ``least`` are tried; the clusters that make the cells likeliest stay.

    Parameters
    ----------
    data : Points
        Released cells.
    k : int
    least : float
        Fewest rows that make a cluster.

    Returns
    -------
    Clusters or None
        None where fewer than k are found.

    Examples
    --------
    >>> made = Points([[0.0], [0.1], [9.0], [9.2]], [5.0, 5.0, 4.0, 4.0], [0.001] * 4)
    >>> found = clusters(made, 2, 6.0)
    >>> sorted(found.means[:, 0].round(2).tolist())
    [0.05, 9.1]
    >>> clusters(made, 3, 6.0) is None
    True
    """
    order = np.argsort(-data.weights, kind="stable")[:MOST_POINTS]
    data = Points(data.positions[order], data.weights[order], data.variances[order])
    half = np.sqrt(3.0 * data.variances * data.positions.shape[1])
    gaps = np.linalg.norm(data.positions[:, None] - data.positions[None], axis=2) + half[None]
    nearest = np.argsort(gaps, axis=1, kind="stable")
    asked, best, highest = max(FULL * float(data.weights.sum()) / k, least), None, -math.inf
    while True:
        found = _clusters(data, gaps, nearest, k, asked)
        if found is not None:
            found = _polished(data, found)
            score = likelihood(data, found)
            best, highest = (found, score) if best is None or score > highest else (best, highest)
        if asked <= least:
            return best
        asked = max(FEWER * asked, least)


def likelihood(data: Points, found: Clusters) -> float:
    """Mean log likelihood of the cells' rows, where some lie anywhere among the cells: what is far costs a constant."""
    p = data.positions.shape[1]
    size = np.ptp(data.positions, axis=0).max() + 2.0 * math.sqrt(3.0 * float(data.variances.max()))
    squares = ((data.positions[:, None] - found.means[None]) ** 2).sum(axis=2) + p * data.variances[:, None]
    with np.errstate(all="ignore"):
        logs = np.log(found.weights / found.weights.sum()) - 0.5 * squares / found.variances
        logs -= 0.5 * p * np.log(2.0 * math.pi * found.variances)
        anywhere = np.full(len(logs), math.log(ANYWHERE) - p * math.log(size))
        each = np.logaddexp.reduce(np.column_stack([logs, anywhere]), axis=1)
    value = float(data.weights @ each / data.weights.sum())
    return value if math.isfinite(value) else -math.inf


def _clusters(data: Points, gaps: Floats, nearest: NDArray[np.intp], k: int, least: float) -> Clusters | None:
    """K clusters of ``least`` rows or more, each the smallest ball that holds them, grown."""
    p = data.positions.shape[1]
    left = np.ones(len(data.weights), dtype=np.bool_)
    weights, means, variances = [], [], []
    for _ in range(k):
        start = _smallest(gaps, nearest, np.where(left, data.weights, 0.0), least)
        if start is None:
            return None
        held = left & (gaps[start[0]] <= start[1])
        for _ in range(GROWTHS):
            mean, variance = _moments(data, held)
            away = np.linalg.norm(data.positions - mean, axis=1)
            grown = left & (held | (away <= math.sqrt(variance) * (math.sqrt(p) + REACH)))
            if (grown == held).all():
                break
            held = grown
        mean, variance = _moments(data, held)
        weights.append(float(data.weights[held].sum()))
        means.append(mean)
        variances.append(variance)
        left &= ~held
    return Clusters(weights, np.array(means), variances)


def _smallest(gaps: Floats, nearest: NDArray[np.intp], weights: Floats, least: float) -> tuple[int, float] | None:
    """The centre and radius of the smallest ball that holds enough of what is left."""
    if weights.sum() < least or not weights.any():
        return None
    sums = np.cumsum(weights[nearest], axis=1)
    place = np.argmax(sums >= least, axis=1)
    radii = np.take_along_axis(gaps, np.take_along_axis(nearest, place[:, None], axis=1), axis=1)[:, 0]
    radii = np.where((sums[:, -1] >= least) & (weights > 0), radii, math.inf)
    best = int(np.argmin(radii))
    return (best, float(radii[best])) if radii[best] < math.inf else None


def _moments(data: Points, held: NDArray[np.bool_]) -> tuple[Floats, float]:
    weights = data.weights[held] / data.weights[held].sum()
    mean = weights @ data.positions[held]
    square = ((data.positions[held] - mean) ** 2).mean(axis=1) + data.variances[held]
    return as_floats(mean), float(weights @ square)


def _polished(data: Points, found: Clusters) -> Clusters:
    """EM of spherical components on the cells, from the balls."""
    weights = found.weights / found.weights.sum()
    model = Spherical(weights[None], found.means[None], found.variances[None])
    floor = float(data.variances.min())
    with np.errstate(all="ignore"):
        for _ in range(STEPS):
            model, _ = em_step(data, model, floor)
    finite = np.isfinite(model.means).all() and np.isfinite(model.variances).all()
    return Clusters(model.weights[0], model.means[0], model.variances[0]) if finite else found


def balls(found: Clusters) -> list[BallValue]:
    """A ball around each cluster, small ones first; neighbours share the gap between them by their widths.

    Examples
    --------
    >>> two = balls(Clusters([0.5, 0.5], [[0.0], [10.0]], [4.0, 1.0]))
    >>> [(ball.centre.tolist(), round(ball.radius, 2)) for ball in two]
    [([10.0], 3.33), ([0.0], 6.67)]
    """
    p = found.means.shape[1]
    sigma = np.sqrt(found.variances)
    radii = sigma * (math.sqrt(p) + REACH)
    gaps = np.linalg.norm(found.means[:, None] - found.means[None], axis=2) + np.diag(np.full(len(sigma), math.inf))
    limit = (gaps * (sigma[:, None] / (sigma[:, None] + sigma[None]))).min(axis=1)
    radii = np.where(limit > 0, np.minimum(radii, limit), radii)
    order = np.argsort(radii, kind="stable")
    return [BallValue(found.means[i], float(np.clip(radii[i], 2.0**-400, 2.0**400))) for i in order]
