"""The likeliest mixture by the counts of all planes: component by component, then by moves.

A component more is looked for where counts exceed what is expected, in all planes at once: of many places those go on
that climb highest, from wide spheres to narrow ones. A move deletes a component that the counts miss least, and looks
for another one in its place. Post-processing of released counts; the seed is public.
"""

from __future__ import annotations

import math

import attrs
import numpy as np

from .plane_fits import Problem, fitted
from .planes import Parts, Planes, view
from .records import Floats, as_floats

PLACES, AGAIN = 150, 100
"""Places from which one climbs for a component more, and in a move."""
CLIMB, NARROWING, WIDEST = 24, 0.7, 0.3
"""Steps of a climb; the part of them in which spheres become narrow, from so much of the whole's variance."""
BEYOND = 1.0
"""Deviations of the noise by which cells that climbs begin in hold more than is expected, at least."""
OTHERS = (0.3, 1.0, 2.5)
"""Sizes that a new component is tried with, in typical ones."""
APART = 0.75
"""Typical deviations within which places are the same."""
GREEDY, SETTLING, SHAPES = 3, 15, 12
"""Steps after a component more, of all at the end, and of shapes before moves."""
GONE, BORN, REST, TRIAL, AFTER = 5, 2, 2, 4, 8
"""Components that a move may delete, places for a new one; steps without the former, with the latter, and more."""
HOPELESS, WORTH = 30.0, 2.0
"""Nats that a trial may stay below what there is; nats that a move must gain."""


@attrs.frozen(eq=False)
class Search:
    """The counts, and the Gaussian that all rows are like: its mean, a root of its covariance, its mean variance."""

    problem: Problem
    centre: Floats
    root: Floats
    size: float
    rng: np.random.Generator

    @classmethod
    def of(cls, data: Planes, seed: int) -> Search:
        """Fit the Gaussian."""
        problem, p = Problem.of(data), data.frames.shape[1]
        whole = Parts(np.ones(1), np.zeros((1, p)), 0.05 * np.eye(p)[None])
        whole, _ = fitted(problem, whole, SETTLING, spheres=False)
        root = as_floats(np.linalg.cholesky(whole.covariances[0]))
        return cls(problem, whole.means[0], root, float(whole.sizes[0]), np.random.default_rng([seed, 8]))

    def places(
        self, model: Parts | None, most: int, *, starts: int, small: float | None = None
    ) -> list[tuple[float, Floats, float]]:
        """Weights, means and sizes of components more, those first by which the counts gain most."""
        data, p = self.problem.data, len(self.centre)
        total = np.full_like(data.counts, data.stray) if model is None else view(data, model).total
        spread = total + data.noise
        if small is None or model is None:
            typical = 0.5 * self.size if model is None else float(np.exp(np.log(model.sizes).mean()))
            small = min(typical, 0.25 * self.size) if small is None else small
        off = (data.counts - total) / spread
        at = self._climbed(off, small, starts)
        gains, found = [], []
        for size in (small * other for other in OTHERS):
            slope = _looked(data, _smooth(data, off, size, 1), at)[0].sum(axis=0)
            square = _looked(data, _smooth(data, 1.0 / spread, size, 2), at)[0].sum(axis=0)
            weight = np.clip(slope / np.maximum(square, 1e-300), 0.0, 0.5)
            gains.append(weight * slope - 0.5 * weight**2 * square)
            found += [(float(w), mean, size) for w, mean in zip(weight, at, strict=True)]
        gain, chosen = np.concatenate(gains), list[tuple[float, Floats, float]]()
        for i in np.argsort(-gain, kind="stable"):
            if len(chosen) == most or not gain[i] > 0.0:
                break
            weight, mean, size = found[i]
            near = (np.linalg.norm(mean - c[1]) <= APART * math.sqrt(p * max(size, c[2])) for c in chosen)
            if not any(near):
                chosen.append((float(np.clip(weight, 0.005, 0.4)), mean, size))
        return chosen

    def _climbed(self, off: Floats, small: float, starts: int) -> Floats:
        """Places, drawn as all rows lie, after climbing what spheres hold beyond what is expected of them."""
        data, p = self.problem.data, len(self.centre)
        at = self.centre + self.rng.standard_normal((starts, p)) @ self.root.T
        at[::2] = self._shown(off, at[::2])
        wide, turn = WIDEST * self.size, NARROWING * CLIMB
        for t in range(CLIMB):
            size = wide * (small / wide) ** min(t / turn, 1.0)
            if t % 3 == 0:
                smooth = _smooth(data, off, size, 1)
            up = np.einsum("hra,hca->cr", data.frames, _looked(data, smooth, at)[1])
            up /= np.linalg.norm(up, axis=1, keepdims=True) + 1e-300
            stride = 0.5 if t < turn else 0.3 * 0.75 ** (t - turn)
            at = at + stride * math.sqrt(0.5 * p * (size + data.width)) * up
        return as_floats(at)

    def _shown(self, off: Floats, at: Floats) -> Floats:
        """Places moved to cells of planes of one rotation each, drawn by the squares of what they hold beyond noise."""
        data, p = self.problem.data, len(self.centre)
        half, found = p // 2, at.copy()
        over = np.maximum(off * np.sqrt(data.noise) - BEYOND, 0.0).reshape(len(off), -1) ** 2 + 1e-12
        sums = np.cumsum(over, axis=1)
        for i in range(len(at)):
            turn = half * int(self.rng.integers(len(off) // half))
            for pair, own in zip(data.frames[turn : turn + half], sums[turn : turn + half], strict=True):
                cell = int(np.searchsorted(own, self.rng.random() * own[-1]))
                seen = data.middles[np.array(divmod(cell, data.counts.shape[2]))]
                found[i] += pair @ (seen - pair.T @ found[i])
        return found


def _smooth(data: Planes, values: Floats, size: float, power: int) -> Floats:
    """Sums over the cells of every plane by the rows that a sphere has there (to a power), for spheres in all cells."""
    wide, middles = size + data.width, data.middles
    law = np.exp(-0.5 * (middles[:, None] - middles) ** 2 / wide) * data.side / math.sqrt(2.0 * math.pi * wide)
    return as_floats((law**power @ values @ law.T**power) * data.rows**power)


def _looked(data: Planes, values: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Values (planes, places) between the cells' middles where places lie in the planes, and slopes (…, 2)."""
    seen = (np.einsum("hra,cr->hca", data.frames, at) - data.middles[0]) / data.side
    seen = np.clip(seen, 0.0, data.counts.shape[1] - 1.001)
    cell = seen.astype(np.intp)
    (x, y), (right, high) = np.moveaxis(cell, -1, 0), np.moveaxis(seen - cell, -1, 0)
    plane = np.arange(len(values))[:, None]
    a, b, c, d = values[plane, x, y], values[plane, x + 1, y], values[plane, x, y + 1], values[plane, x + 1, y + 1]
    found = a * (1.0 - right) * (1.0 - high) + b * right * (1.0 - high) + c * (1.0 - right) * high + d * right * high
    slopes = ((b - a) * (1.0 - high) + (d - c) * high, (c - a) * (1.0 - right) + (d - b) * right)
    return as_floats(found), as_floats(np.stack(slopes, axis=-1) / data.side)


def likeliest(data: Planes, components: int, seed: int) -> Parts:
    """The likeliest mixture found.

    Parameters
    ----------
    data : Planes
    components : int
    seed : int
        Public.
    """
    search = Search.of(data, seed)
    model = _grown(search, components)
    for spheres in (True, False):
        model, score = fitted(search.problem, model, SETTLING if spheres else SHAPES, spheres=spheres)
        for _ in range(2 * components):
            better = _moved(search, model, score, spheres=spheres)
            if better is None:
                break
            model, score = better
        model, _ = fitted(search.problem, model, SETTLING, spheres=spheres)
    return model


def _grown(search: Search, components: int) -> Parts:
    """Spheres, one after the other; where the counts show no place, half of the one that holds most."""
    p = len(search.centre)
    first = 0.5 * search.size / components ** (2.0 / p)
    found = search.places(None, 1, starts=PLACES, small=first)
    mean = found[0][1] if found else search.centre
    model = Parts(np.ones(1), mean[None], first * np.eye(p)[None])
    for t in range(1, components + 1):
        model, _ = fitted(search.problem, model, GREEDY, spheres=True)
        if t == components:
            break
        found = search.places(model, 1, starts=PLACES, small=first if t < 3 else None)
        if found:
            model = model.beside(*found[0])
            continue
        j = int(np.argmax(model.weights * model.sizes))
        away = math.sqrt(float(model.sizes[j])) * search.rng.standard_normal(p)
        model = model.beside(0.5 * float(model.weights[j]), model.means[j] + away, 0.5 * float(model.sizes[j]))
    return model


def _moved(search: Search, model: Parts, score: float, *, spheres: bool) -> tuple[Parts, float] | None:
    """The first move that pays, and its score; None where none does."""
    if len(model.weights) < 2:
        return None
    left = [search.problem.score(model.without(j)) for j in range(len(model.weights))]
    for gone in np.argsort(-np.array(left), kind="stable")[:GONE].tolist():
        rest, _ = fitted(search.problem, model.without(gone), REST, spheres=spheres)
        for new in search.places(rest, BORN, starts=AGAIN):
            trial, found = fitted(search.problem, rest.beside(*new), TRIAL, spheres=spheres)
            if found > score - HOPELESS:
                trial, found = fitted(search.problem, trial, AFTER, spheres=spheres)
            if found > score + WORTH:
                return trial, found
    return None
