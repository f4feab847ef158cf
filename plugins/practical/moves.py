"""Deletions, cuts and births: out of the local optima of EM on cells, which lack one cluster and share another.

Where k is large, EM from any start ends with two components in one cluster and one over two. A move deletes the
component that the likelihood misses least and cuts the one that gains most by being two (after Ueda, Nakano,
Ghahramani, Hinton 2000), or puts it where stray rows are densest; EM follows, and the move stays where the likelihood
is larger. Post-processing of cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .cells import Points
from .fitting import Full, log_joint, step
from .records import Floats, as_floats
from .regions import Regions
from .seeding import BACKGROUND, background

TRIED = 3
"""Moves tried before one gives up."""
LOCAL, AFTER, SETTLING = 8, 12, 40
"""Steps of the halves alone, of all components after a move, and at the end."""
WORTH = 1e-3
"""Nats a row that a move must gain."""
HOPELESS = -0.5
"""Nats a row by which a move may lose before EM follows, and is tried all the same."""
NEAREST, SPREAD = 50, 1.0
"""Points tried as places of a birth, and the radius of what it takes there, in half typical deviations."""
MOST_HEIRED = 2.0
"""A component's gain grows by what it inherits from the deleted one; this caps the factor."""
HALF = 0.8
"""Deviations along an axis at which halves start."""


Cut = tuple[float, Full | None]


def improved(data: Points, model: Full, *, spheres: bool = False) -> tuple[Full, float]:
    """The model (a batch of one) after all moves that pay, and its score; itself where none does."""
    best, score = model, float(step(data, model, spheres=spheres)[1][0])
    cuts: dict[int, Cut] = {}
    for _ in range(2 * model.weights.shape[1]):
        for gone, cut, tried in _moves(data, best, cuts, spheres=spheres):
            moved = tried
            for _ in range(AFTER):
                moved, _scores = step(data, moved, spheres=spheres)
            found = float(step(data, moved, spheres=spheres)[1][0])
            if found > score + WORTH:
                best, score = moved, found
                cuts.pop(gone, None), cuts.pop(cut, None)
                break
        else:
            break
    if best is not model:
        for _ in range(SETTLING):
            best = step(data, best, spheres=spheres)[0]
        score = float(step(data, best, spheres=spheres)[1][0])
    return best, score


def _moves(data: Points, model: Full, cuts: dict[int, Cut], *, spheres: bool) -> Iterator[tuple[int, int, Full]]:
    """The most promising models with one component deleted and another one cut, or born; known cuts are kept."""
    joint = log_joint(data, model.weights[0], model.means[0], model.covariances[0])
    stray = background(data)
    top = np.maximum(joint.max(axis=0), stray)
    joint -= top
    density = np.exp(joint)
    norm = density.sum(axis=0) + np.exp(stray - top)
    share = density / norm
    rest = np.maximum(1.0 - share, 1e-9)
    losses = -(np.log(rest) * data.weights).sum(axis=1)
    mass = share @ data.weights + 1e-300
    heirs = np.minimum((share / rest * data.weights) @ share.T / mass, MOST_HEIRED)  # what j gets of i, over its own
    hopeless = HOPELESS * float(data.weights.sum())
    most = _most(data, share * data.weights, joint + top - np.log(np.maximum(model.weights[0], 1e-300))[:, None])
    net = most * (1.0 + heirs) - losses[:, None]
    np.fill_diagonal(net, -np.inf)
    for j in np.flatnonzero((net > hopeless).any(axis=0)).tolist():
        if j not in cuts:
            cuts[j] = _cut(data, model, share[j], j, spheres=spheres)
    gains = np.array([cuts[j][0] if j in cuts else 0.0 for j in range(len(share))])
    net = gains * (1.0 + heirs) - losses[:, None]
    np.fill_diagonal(net, -np.inf)
    birth = _birth(data, model, top + np.log(norm), np.exp(stray - top) / norm)
    able = [j for j in sorted(cuts) if cuts[j][1] is not None]
    offered = [(float(net[i, j]), i, j) for i in range(len(share)) for j in able if i != j]
    if birth[1] is not None:
        offered += [(birth[0] - float(losses[i]), i, -1) for i in range(len(share))]
    for gain, gone, cut in sorted(offered, reverse=True)[:TRIED]:
        if not gain > hopeless:
            return
        weights, means, covariances = (a[0].copy() for a in (model.weights, model.means, model.covariances))
        for place, half, halves in (
            ((gone, 0, birth[1]),) if cut < 0 else ((cut, 0, cuts[cut][1]), (gone, 1, cuts[cut][1]))
        ):
            if halves is None:
                return
            weights[place] = (1.0 if cut < 0 else model.weights[0, cut]) * halves.weights[0, half]
            means[place], covariances[place] = halves.means[0, half], halves.covariances[0, half]
        weights = weights / weights.sum()
        yield gone, cut, Full(weights[None], means[None], covariances[None])


def _most(data: Points, own: Floats, logs: Floats) -> Floats:
    """What each component's cells could gain by any mixture in its place, at most: most cuts need not be tried.

    Weights v in cells of volumes u are likeliest under densities v / (u sum v), if u times the densities sum to at most
    1: in regions they do, but for the background; of points each factor of a density sums to at most sqrt(6 / pi).

    Parameters
    ----------
    own : array of shape (k, m)
        Weights that each component takes.
    logs : array of shape (k, m)
        Log density of each component.
    """
    p = data.positions.shape[1]
    held = own.sum(axis=1) + 1e-300
    volumes, more = data.log_volumes(), BACKGROUND
    if not isinstance(data, Regions):
        more += 0.5 * p * math.log(6.0 / math.pi)
    gains = own * (np.log(np.maximum(own, 1e-300) / held[:, None]) - volumes - logs)
    return as_floats(np.maximum(gains.sum(axis=1) + more * held, 0.0))


def _birth(data: Points, model: Full, total: Floats, stray: Floats) -> Cut:
    """Log likelihood gained by a component more where stray rows are densest, and that component.

    The background takes clusters that no component is near to; no cut can reach them.
    """
    left = stray * data.weights
    if left.sum() < data.weights.min():
        return 0.0, None
    p = data.positions.shape[1]
    typical = np.exp(np.median(np.linalg.slogdet(model.covariances[0])[1]) / p)
    squared = ((data.positions[:, None] - data.positions[None][:, np.argsort(-left)[:NEAREST]]) ** 2).sum(axis=2)
    inside = squared < (2.0 * SPREAD) ** 2 * (typical + data.variances[:, None])
    at = int(np.argmax(left @ inside))
    own = inside[:, at] * left
    mean = own @ data.positions / own.sum()
    around = float(own @ ((data.positions - mean) ** 2).sum(axis=1)) / (p * float(own.sum()))
    size = max(around - float(own @ data.variances) / float(own.sum()), 0.1 * typical)
    weight = float(own.sum()) / float(data.weights.sum())
    new = Full(np.array([[weight]]), mean[None, None], (size * np.eye(p))[None, None])
    joint = log_joint(data, new.weights[0], new.means[0], new.covariances[0])[0]
    return float(np.logaddexp(0.0, joint - total) @ data.weights), new


def _cut(data: Points, model: Full, share: Floats, j: int, *, spheres: bool) -> Cut:
    """Log likelihood that a component's cells gain by two components, and these."""
    weights = share * data.weights
    near = weights > 1e-3 * data.weights.min()
    if near.sum() < 2:
        return 0.0, None
    own = data.part(near, weights[near])
    floor = float(data.weights.min()), background(data)
    single = Full(np.ones((1, 1)), model.means[:, j : j + 1], model.covariances[:, j : j + 1])
    for _ in range(2):
        single, before = step(own, single, spheres=spheres, floor=floor)
    values, vectors = np.linalg.eigh(model.covariances[0, j])
    if spheres:
        away = own.positions - model.means[0, j]
        spread, vectors = np.linalg.eigh((away * own.weights[:, None]).T @ away / float(own.weights.sum()))
        values = np.maximum(spread, values)
    best: Cut = (0.0, None)
    for axis in range(len(values))[::-1][:2]:
        along = np.sqrt(values[axis]) * vectors[:, axis]
        shape = model.covariances[0, j]
        shape = shape if spheres else shape - HALF**2 * np.outer(along, along)
        pair = Full(
            np.full((1, 2), 0.5),
            as_floats([model.means[0, j] - HALF * along, model.means[0, j] + HALF * along])[None],
            np.repeat(shape[None], 2, axis=0)[None],
        )
        for _ in range(LOCAL):
            pair, after = step(own, pair, spheres=spheres, floor=floor)
        prior = (len(values) + 1.0) * floor[0] * float(np.log(np.maximum(pair.weights, 1e-300)).sum())
        gain = float(after[0] - before[0]) * float(own.weights.sum()) - prior  # the move's own prior is another
        if gain > best[0]:
            best = gain, pair
    return best
