"""Extreme deconvolution on the published cells: clusters of any shape, where spheres lose elongated ones.

A row of a cell is its centre plus about ``N(0, v I)``, ``v = side^2 / 12``, so a component with covariance S is seen as
``N(m, S + v I)``: EM with the posterior mean and variance of the row given the cell (Bovy, Hogg, Roweis 2011) estimates
S itself, whatever the cells' sizes. Post-processing of released cells; the seed is public.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np

from . import seeding
from .cells import Points, few_points, points
from .records import Cells, Floats, Mixture, as_floats
from .seeding import Spherical, background, plus_plus, spherical_em
from .subspace import Subspace

STARTS = 10
"""k-means++ starts in plain and as many in whitened cells, besides the spherical solution."""
SHORT, LONG, FINALISTS = 15, 60, 4
PRIOR = 3.0
"""Weight of the prior towards a sphere, in smallest cell weights: less than a cell's worth can't turn a component."""
FLOOR = 1.0 / 12.0
"""Least eigenvalue of a component, in the smallest cell variance: below that cells say nothing."""
GAIN, CHANCE, THRESHOLD = 0.02, 2.0, 5.0
"""Nats a row by which other starts must beat the spherical one. Full covariances must beat spheres by `CHANCE` times
what their parameters gain from the cells' noise more; its deviation is about the smallest count over `THRESHOLD`."""
TINY = 1e-12
"""Least eigenvalue over the largest, so that factors exist in floating point."""
APART = 0.7
"""Deviations of a component from every other one's means from which on the solutions are different ones."""
NEAR = 0.03
"""Nats a row below the likeliest up to which other solutions are tried as well."""
MOST = 2
"""Solutions that are tried, spheres among them."""


@attrs.frozen(eq=False)
class Starts:
    """Distinct mixtures in frame units, the likeliest by the cells first, and the cells they were found in, if any."""

    candidates: tuple[Mixture, ...]
    points: Points | None = None
    space: Subspace | None = None

    def at(self, place: int, places: int) -> Mixture:
        """The start in a place, told how many places it stands in."""
        own = place % len(self.candidates)
        return attrs.evolve(self.candidates[own], copies=len(range(own, places, len(self.candidates))))


@attrs.frozen(eq=False)
class Full:
    """A batch of mixtures: weights (r, k), means (r, k, p), covariances (r, k, p, p)."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    covariances: Floats = attrs.field(converter=as_floats)

    def take(self, rows: list[int]) -> Full:
        """The batch's members ``rows``."""
        return Full(self.weights[rows], self.means[rows], self.covariances[rows])

    @classmethod
    def joined(cls, parts: list[Full]) -> Full:
        """One batch of several."""
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in attrs.fields(cls)))


def step(data: Points, model: Full, *, spheres: bool = False) -> tuple[Full, Floats]:
    """One step for every member of the batch, and the penalised log-likelihoods a row before it.

    ``spheres`` keeps covariances multiples of I.
    """
    found = [_step(data, model.weights[r], model.means[r], model.covariances[r]) for r in range(len(model.weights))]
    moved = Full(*(np.array([f[i] for f in found]) for i in range(3)))
    if spheres:
        p = model.means.shape[2]
        sizes = np.trace(moved.covariances, axis1=2, axis2=3) / p
        moved = attrs.evolve(moved, covariances=sizes[:, :, None, None] * np.eye(p))
    return moved, np.array([f[3] for f in found])


def _step(data: Points, weights: Floats, means: Floats, covariances: Floats) -> tuple[Floats, Floats, Floats, float]:
    p = means.shape[1]
    values, vectors = np.linalg.eigh(covariances)
    seen = values[:, None, :] + data.variances[None, :, None]
    along = (data.positions[None] - means[:, None]) @ vectors
    joint = -0.5 * (along**2 / seen + np.log(seen)).sum(axis=2) - 0.5 * p * math.log(2.0 * math.pi)
    joint += np.log(np.maximum(weights, 1e-300))[:, None]
    stray = background(data)
    top = np.maximum(joint.max(axis=0), stray)
    joint = np.exp(joint - top)
    norm = joint.sum(axis=0) + np.exp(stray - top)
    total, least = float(data.weights.sum()), float(data.weights.min())
    score = float(((top + np.log(norm)) * data.weights).sum())
    score += (p + 1.0) * least * float(np.log(np.maximum(weights, 1e-300)).sum())
    share = joint / norm * data.weights
    mass = share.sum(axis=1) + 1e-12 * total
    kept = values[:, None, :] / seen
    rows = along * kept
    shift = (share[:, None, :] @ rows)[:, 0] / mass[:, None]
    rows -= shift[:, None, :]
    spread = np.swapaxes(rows * share[:, :, None], 1, 2) @ rows
    width = (share[:, None, :] @ (kept * data.variances[None, :, None]))[:, 0]
    spread[:, np.arange(p), np.arange(p)] += width
    prior = PRIOR * least
    sphere = np.trace(spread, axis1=1, axis2=2) / (p * mass)
    spread[:, np.arange(p), np.arange(p)] += prior * sphere[:, None]
    spread /= (mass + prior)[:, None, None]
    spread = vectors @ spread @ np.swapaxes(vectors, 1, 2)
    spread = lifted(spread, FLOOR * float(data.variances.min()))
    moved = means + (vectors @ shift[:, :, None])[:, :, 0]
    return mass / mass.sum(), moved, spread, score / total


def lifted(covariances: Floats, least: float) -> Floats:
    """Symmetric matrices with eigenvalues of at least ``least``, and of `TINY` times each matrix's largest."""
    values, vectors = np.linalg.eigh(0.5 * (covariances + np.swapaxes(covariances, -1, -2)))
    values = np.maximum(values, np.maximum(least, TINY * values[..., -1:]))
    return as_floats((vectors * values[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def starts(data: Points, components: int, spherical: Spherical, seed: int) -> Full:
    """The spherical solution first, then k-means++ in plain and in whitened cells."""
    p = data.positions.shape[1]
    rng = np.random.default_rng([seed, 1])
    weights = data.weights / data.weights.sum()
    mean = weights @ data.positions
    centred = data.positions - mean
    overall = (centred * weights[:, None]).T @ centred + float(weights @ data.variances) * np.eye(p)
    overall = lifted(overall, FLOOR * float(data.variances.min()))
    shrunk = overall / components ** (2.0 / p)
    eye = np.eye(p)
    sizes = np.maximum(spherical.variances[0] - float(weights @ data.variances), float(data.variances.min()))
    batch = [Full(spherical.weights, spherical.means, (sizes[:, None, None] * eye)[None])]
    root = np.linalg.cholesky(overall)
    white = Points(np.linalg.solve(root, centred.T).T, data.weights, data.variances)
    even = np.full((STARTS, components), 1.0 / components)
    for cells, shape in ((data, np.trace(shrunk) / p * eye), (white, shrunk)):
        means = plus_plus(cells, components, STARTS, rng)
        means = means if cells is data else means @ root.T + mean
        batch.append(Full(even, means, np.broadcast_to(shape, (STARTS, components, p, p))))
    return Full.joined(batch)


def deconvolved(data: Points, components: int, spherical: Spherical, seed: int) -> tuple[list[Full], bool]:
    """Mixtures with full covariances that are no other's equal, each a batch of one; whether the first beats spheres.

    The likeliest first, those that are within `NEAR` nats a row of it.

    Parameters
    ----------
    data : Points
    components : int
    spherical : Spherical
        The best spherical mixture of the cells, as a batch of one.
    seed : int
        Public.
    """
    if components == 1:
        return [], False
    model = starts(data, components, spherical, seed)
    plain = step(data, rounds(data, model.take([0]), SHORT, spheres=True))[1][0]
    model = rounds(data, model, SHORT)
    score = step(data, model)[1]
    kept = [0, *(int(i) for i in np.argsort(-score, kind="stable") if i)][:FINALISTS]
    model = rounds(data, model.take(kept), LONG)
    score = step(data, model)[1]
    known, found = [spherical.means[0]], []
    for i in np.argsort(-score - GAIN * (np.arange(len(score)) == 0), kind="stable"):
        one = model.take([int(i)])
        if score[i] > score.max() - NEAR and all(differs(one, means) for means in known):
            known.append(one.means[0])
            found.append((one, float(score[i])))
    return [one for one, _ in found], bool(found) and found[0][1] > plain + margin(data, components)


def differs(model: Full, means: Floats) -> bool:
    """Whether some component lies `APART` of its deviations from every mean: else passes find the same."""
    gaps = model.means[0][:, None] - means[None]
    inverse = np.linalg.inv(np.linalg.cholesky(model.covariances[0]))
    far = np.linalg.norm(np.einsum("iab,ijb->ija", inverse, gaps), axis=2).min(axis=1)
    return bool(far.max() > APART)


def margin(data: Points, components: int) -> float:
    """Nats a row that are more than chance: see `GAIN`.

    ``q`` parameters gain about ``q / 2`` nats in all from sampling, ``1 + m s^2 / n`` times that with noise s in m
    cells.
    """
    m, p = data.positions.shape
    rows, noise = float(data.weights.sum()), float(data.weights.min()) / THRESHOLD
    free = components * (0.5 * p * (p + 1.0) - 1.0)
    return float(GAIN + CHANCE * 0.5 * free * (1.0 + m * noise**2 / rows) / rows)


def rounds(data: Points, model: Full, count: int, *, spheres: bool = False) -> Full:
    """``count`` steps."""
    for _ in range(count):
        model = step(data, model, spheres=spheres)[0]
    return model


def lift(model: Full, space: Subspace) -> Mixture:
    """As `seeding.lift`: a mixture in the whole frame, with one variance outside the subspace."""
    d, p = space.basis.shape
    weights, means, covariances = model.weights[0], model.means[0], model.covariances[0]
    residual = space.residual_variance
    if residual is None:
        residual = float(weights @ np.trace(covariances, axis1=1, axis2=2)) / p
    outside = np.eye(d) - space.basis @ space.basis.T if p < d else np.zeros((d, d))
    whole = space.basis @ covariances @ space.basis.T + residual * outside
    return Mixture(weights, means @ space.basis.T, np.linalg.cholesky(0.5 * (whole + np.swapaxes(whole, 1, 2))))


def first_mixtures(
    levels: Sequence[Cells], offset: Floats, components: int, space: Subspace, seed: int
) -> Starts | None:
    """First mixtures from published cells, in the whole frame; None where nothing was published.

    Parameters
    ----------
    levels : sequence of Cells
        Coarsest first.
    offset : array of shape (p,)
    components : int
    space : Subspace
    seed : int
        Public.
    """
    data = points(levels, offset)
    if data is None:
        return None
    spherical = spherical_em(data, components, seed)
    few = few_points(levels, offset)
    full, better = deconvolved(few, components, spherical, seed)
    found = [seeding.lift(spherical, space), *(lift(one, space) for one in full)]
    if better:
        found[:2] = found[1::-1]
    return Starts(tuple(found[:MOST]), few, space)
