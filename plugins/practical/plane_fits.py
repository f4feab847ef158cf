"""Mixtures by the counts of all planes: Gauss and Newton's steps, component by component.

Noise is most of a count's variance, so EM would move a few hundredths of the way at a time. The counts are about
Gaussian instead, and a component's weight, mean and covariance are told from them as in least squares. Each component
steps by its own equations, damped (Levenberg and Marquardt) until all steps together make the counts likelier.
Post-processing of released counts.
"""

from __future__ import annotations

import math

import attrs
import numpy as np

from .planes import Parts, Planes, View, evidence, view
from .records import Floats, as_floats

ALIKE, ALIVE = 1.0, 2.0
"""Prior: of log sizes towards their mean, in squares, and of weights, as powers."""
ROUND, ROUNDEST = 2.0, 12.0
"""Prior of shapes towards spheres, in squares: so much a direction, and at most."""
DAMPED, MORE, LESS, LEAST = 0.3, 4.0, 3.0, 0.02
"""Damping at first; factors by which it grows and shrinks, and where it ends."""
ATTEMPTS, ENOUGH = 5, 0.5
"""Dampings tried in a step; nats below which it was the last."""
FARTHEST = 1.5
"""Typical deviations by which a mean may step."""
THIN, FLAT = 0.03, 0.05
"""Least eigenvalue over a component's size, and over a cell's width."""
POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Monomials that a component's derivatives are made of."""


def symmetric(p: int) -> Floats:
    """An orthonormal basis of symmetric matrices (p (p + 1) / 2, p, p), by rows of the upper triangle."""
    found = []
    for i in range(p):
        for j in range(i, p):
            one = np.zeros((p, p))
            one[i, j] = one[j, i] = 1.0 if i == j else math.sqrt(0.5)
            found.append(one)
    return as_floats(found)


@attrs.frozen(eq=False)
class Problem:
    """Counts, and what derivatives are made of: symmetric matrices in all directions, and seen in every plane."""

    data: Planes
    basis: Floats
    seen: Floats

    @classmethod
    def of(cls, data: Planes) -> Problem:
        """For these counts."""
        basis, flat = symmetric(data.frames.shape[1]), symmetric(2)
        seen = np.einsum("drs,hra,eab,hsb->hde", basis, data.frames, flat, data.frames, optimize=True)
        return cls(data, basis, as_floats(seen))

    def score(self, model: Parts) -> float:
        """Log likelihood with the prior, up to a constant."""
        return evidence(self.data, view(self.data, model).total) + prior(model)


def roundness(p: int) -> float:
    """Weight of the prior of shapes in so many directions."""
    return min(ROUND * p, ROUNDEST)


def prior(model: Parts) -> float:
    """Log density of the prior, up to a constant."""
    logs, p = np.log(model.sizes), model.means.shape[1]
    shapes = model.covariances / model.sizes[:, None, None] - np.eye(p)
    found = -0.5 * ALIKE * ((logs - logs.mean()) ** 2).sum() - 0.5 * roundness(p) * (shapes**2).sum()
    return float(found + ALIVE * np.log(np.maximum(model.weights, 1e-6)).sum())


def fitted(problem: Problem, model: Parts, most: int, *, spheres: bool) -> tuple[Parts, float]:
    """After at most so many steps, and the `score`; ``spheres`` keeps covariances multiples of I."""
    seen = view(problem.data, model)
    score, damping = evidence(problem.data, seen.total) + prior(model), DAMPED
    for _ in range(most):
        slopes, squares = _equations(problem, model, seen, spheres=spheres)
        for _attempt in range(ATTEMPTS):
            moved = _stepped(problem, model, slopes, squares, damping, spheres=spheres)
            there = view(problem.data, moved)
            found = evidence(problem.data, there.total) + prior(moved)
            if found > score:
                break
            damping *= MORE
        else:
            break
        gained, model, seen, score = found - score, moved, there, found
        damping = max(damping / LESS, LEAST)
        if gained < ENOUGH:
            break
    return model, score


def _derivatives(inverse: Floats) -> Floats:
    """Of a component's log density by its mean and covariance in a plane, in `POWERS`: (…, 6, 6).

    By its log weight 1, by its mean ``A z``, by its covariance ``(A z z^T A - A) / 2``.
    """
    a, b, c = inverse[..., 0, 0], inverse[..., 0, 1], inverse[..., 1, 1]
    maps = np.zeros((*a.shape, 6, 6))
    maps[..., 0, 0] = 1.0
    maps[..., 1:3, 1:3] = inverse
    rows = ((a * a, 2.0 * a * b, b * b), (a * b, a * c + b * b, b * c), (b * b, 2.0 * b * c, c * c))
    for row, (terms, at) in enumerate(zip(rows, (a, b, c), strict=True)):
        half = math.sqrt(0.5) if row == 1 else 0.5
        for power, term in enumerate(terms):
            maps[..., 3 + row, 3 + power] = half * term
        maps[..., 3 + row, 0] = -half * at
    return maps


def _equations(problem: Problem, model: Parts, seen: View, *, spheres: bool) -> tuple[Floats, Floats]:
    """Slopes (k, q) and squares (k, q, q) of the log likelihood and prior, by log weight, mean, size or covariance."""
    data, (k, p) = problem.data, model.means.shape
    spread = seen.total + data.noise
    off = (data.counts - seen.total) / spread
    across, up = (np.stack([side**power for power in range(5)], axis=-1) for side in (seen.across, seen.up))
    across = np.swapaxes(across, -1, -2)
    first = across[..., :3, :] @ (seen.parts * (off - 0.5 / spread + 0.5 * off**2)[:, None]) @ up[..., :3]
    second = across @ (seen.parts**2 / spread[:, None]) @ up
    maps = _derivatives(seen.inverse)
    slope = (maps @ np.stack([first[..., i, j] for i, j in POWERS], axis=-1)[..., None])[..., 0]
    square = np.stack([np.stack([second[..., i + a, j + b] for a, b in POWERS], axis=-1) for i, j in POWERS], axis=-2)
    square = maps @ square @ np.swapaxes(maps, -1, -2)
    ways = np.zeros((k, len(data.frames), 1 + p + (1 if spheres else len(problem.basis)), 6))
    ways[..., 0, 0] = 1.0
    ways[..., 1 : p + 1, 1:3] = data.frames
    if spheres:
        ways[..., p + 1, 3] = ways[..., p + 1, 5] = model.sizes[:, None]
    else:
        ways[..., p + 1 :, 3:] = problem.seen * model.sizes[:, None, None, None]
    slopes = np.einsum("khqa,hka->kq", ways, slope)
    left = np.swapaxes(ways @ np.swapaxes(square, 0, 1), 1, 2).reshape(k, ways.shape[2], -1)
    squares = left @ np.swapaxes(np.swapaxes(ways, 1, 2).reshape(left.shape), 1, 2)
    _add_prior(problem, model, slopes, squares, spheres=spheres)
    return slopes, squares


def _add_prior(problem: Problem, model: Parts, slopes: Floats, squares: Floats, *, spheres: bool) -> None:
    """Slopes and squares of the prior, added in place."""
    k, p = model.means.shape
    slopes[:, 0] += ALIVE * (1.0 - k * model.weights)
    squares[:, 0, 0] += ALIVE
    logs = np.log(model.sizes)
    towards = -ALIKE * (logs - logs.mean())
    if spheres:
        slopes[:, p + 1] += towards
        squares[:, p + 1, p + 1] += ALIKE
        return
    shapes = model.covariances / model.sizes[:, None, None] - np.eye(p)
    size = np.trace(problem.basis, axis1=1, axis2=2) / p
    slopes[:, p + 1 :] += towards[:, None] * size - roundness(p) * np.einsum("krs,drs->kd", shapes, problem.basis)
    squares[:, p + 1 :, p + 1 :] += ALIKE * size[:, None] * size + roundness(p) * np.eye(len(size))


def _stepped(
    problem: Problem, model: Parts, slopes: Floats, squares: Floats, damping: float, *, spheres: bool
) -> Parts:
    """The mixture after one damped step of every component."""
    k, p = model.means.shape
    every = np.arange(slopes.shape[1])
    damped = squares.copy()
    damped[:, every, every] += damping * squares[:, every, every] + 1e-9
    step = np.linalg.solve(damped, slopes[:, :, None])[:, :, 0]
    weights = np.maximum(model.weights * np.exp(np.clip(step[:, 0], -1.0, 1.0)), 1e-3 / k)
    sizes, width = model.sizes, problem.data.width
    far = np.linalg.norm(step[:, 1 : p + 1], axis=1)
    most = FARTHEST * np.sqrt(p * (sizes + width))
    means = model.means + np.minimum(1.0, most / np.maximum(far, 1e-300))[:, None] * step[:, 1 : p + 1]
    if spheres:
        sizes = np.maximum(sizes * np.exp(np.clip(step[:, p + 1], -1.0, 1.0)), FLAT * width)
        return Parts(weights / weights.sum(), means, sizes[:, None, None] * np.eye(p))
    change = np.einsum("kd,drs->krs", step[:, p + 1 :], problem.basis)
    change *= np.minimum(1.0, 0.9 / np.maximum(np.abs(np.linalg.eigvalsh(change)).max(axis=1), 1e-300))[:, None, None]
    values, vectors = np.linalg.eigh(model.covariances + sizes[:, None, None] * change)
    values = np.maximum(values, np.maximum(FLAT * width, THIN * sizes)[:, None])
    return Parts(weights / weights.sum(), means, (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2))
