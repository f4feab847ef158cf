"""A first mixture: spherical EM on the published cells, many restarts, lifted to the whole space.

Full covariances on noisy cells collapse; spherical ones do not. All of this is post-processing of
released cells: the seed is public and the result deterministic.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from .cells import Points
from .records import Floats, Mixture, as_floats
from .subspace import Subspace

RESTARTS = 40
SHORT, LONG, FINALISTS = 25, 100, 5
PRIOR = 1.0
BACKGROUND = 0.03


@attrs.frozen(eq=False)
class Spherical:
    """Batches of spherical mixtures: weights (r, k), means (r, k, p), variances (r, k)."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    variances: Floats = attrs.field(converter=as_floats)

    def take(self, rows: NDArray[np.intp]) -> Spherical:
        """The batch's members ``rows``."""
        return Spherical(self.weights[rows], self.means[rows], self.variances[rows])


def plus_plus(data: Points, components: int, restarts: int, rng: np.random.Generator) -> Floats:
    """Weighted k-means++ starts of shape (restarts, components, p)."""
    m, p = data.positions.shape
    starts = np.empty((restarts, components, p))
    for r in range(restarts):
        distance = np.ones(m)
        for j in range(components):
            mass = data.weights * distance
            total = float(mass.sum())
            pick = rng.choice(m, p=mass / total) if total > 0.0 else rng.integers(m)
            starts[r, j] = data.positions[pick]
            gap = ((data.positions - starts[r, j]) ** 2).sum(axis=1)
            distance = gap if j == 0 else np.minimum(distance, gap)
    return starts


def log_densities(data: Points, model: Spherical) -> Floats:
    """Expected log (weight times density) of a row in each cell: shape (r, k, m)."""
    p, precise = data.positions.shape[1], 1.0 / model.variances
    with np.errstate(divide="ignore"):
        fixed = np.log(model.weights) + 0.5 * p * np.log(precise / (2.0 * math.pi))
    fixed -= 0.5 * precise * (model.means**2).sum(axis=2)
    linear = np.concatenate([model.means * precise[:, :, None], -0.5 * precise[:, :, None]], axis=2)
    return as_floats(linear @ _numbers(data).T + fixed[:, :, None])


def _numbers(data: Points) -> Floats:
    """Of each cell: its position, and the mean square of its rows (m, p + 1)."""
    squares = (data.positions**2).sum(axis=1) + data.positions.shape[1] * data.variances
    return np.column_stack([data.positions, squares])


def background(data: Points) -> float:
    """Log density of stray rows: `BACKGROUND` of them, uniform over the box of the cells.

    Without it a component is now and then wasted on a few thinly filled coarse cells far from the rest.
    """
    sides = data.positions.max(axis=0) - data.positions.min(axis=0) + math.sqrt(12.0 * float(data.variances.max()))
    return math.log(BACKGROUND) - float(np.log(sides).sum())


def em_step(data: Points, model: Spherical, floor: float) -> tuple[Spherical, Floats]:
    """One weighted EM step for every member of the batch, and the log-likelihoods before it."""
    p = data.positions.shape[1]
    share = log_densities(data, model)
    stray = background(data)
    top = np.maximum(share.max(axis=1, keepdims=True), stray)
    np.exp(np.subtract(share, top, out=share), out=share)
    norm = share.sum(axis=1, keepdims=True) + np.exp(stray - top)
    score = (top + np.log(norm))[:, 0, :] @ data.weights
    share *= data.weights / norm
    mass = share.sum(axis=2) + 1e-12 * data.weights.sum()
    moments = share @ _numbers(data) / mass[:, :, None]
    means = moments[:, :, :p]
    variances = np.maximum((moments[:, :, p] - (means**2).sum(axis=2)) / p, floor)
    common = np.exp(np.log(variances).mean(axis=1, keepdims=True))
    prior = PRIOR * float(data.weights.min())
    variances = (mass * variances + prior * common) / (mass + prior)
    weights = mass / mass.sum(axis=1, keepdims=True)
    return Spherical(weights, means, variances), as_floats(score)


def spherical_em(data: Points, components: int, seed: int, *, restarts: int = RESTARTS) -> Spherical:
    """The best of ``restarts`` spherical mixtures, as a batch of one.

    Parameters
    ----------
    data : Points
    components : int
    seed : int
        Public.
    """
    rng = np.random.default_rng(seed)
    total = float(data.weights.sum())
    mean = data.weights @ data.positions / total
    centred = Points(data.positions - mean, data.weights, data.variances)
    p = centred.positions.shape[1]
    spread = float(data.weights @ ((centred.positions**2).sum(axis=1) / p + data.variances)) / total
    floor = float(data.variances.min())
    shape = (restarts, components)
    model = Spherical(
        np.full(shape, 1.0 / components),
        plus_plus(centred, components, restarts, rng),
        np.full(shape, max(spread / components ** (2.0 / p), floor)),
    )
    for _ in range(SHORT):
        model, score = em_step(centred, model, floor)
    model = model.take(np.argsort(-score, kind="stable")[:FINALISTS])
    for _ in range(LONG):
        model, score = em_step(centred, model, floor)
    best = model.take(np.argsort(-score, kind="stable")[:1])
    return Spherical(best.weights, best.means + mean, best.variances)


def lift(model: Spherical, space: Subspace) -> Mixture:
    """A mixture in the whole frame: `Subspace.whole`."""
    weights, variances = model.weights[0], model.variances[0]
    round_ones = variances[:, None, None] * np.eye(space.basis.shape[1])
    means, covariances = space.whole(model.means[0], round_ones, float(weights @ variances))
    return Mixture(weights, means, np.linalg.cholesky(covariances), basis=space.known)
