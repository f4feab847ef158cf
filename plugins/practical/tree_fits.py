"""Mixtures by the likelihood of all counts of a tree of cells, what is not published and its noise included.

A component stands as points with its exact mean and covariance, evenly spread (a Kronecker sequence through the normal
quantile): the share of its points in a cell is its mass there, whatever its shape. EM is then a weighting of points, by
what counts are expected to be given the releases over what the mixture expects. Post-processing of released cells; no
chance, and no step reads the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from .fitting import TINY, Full, lifted
from .records import Floats, as_floats
from .trees import NOWHERE, Ints, Tree

POINTS, FEW = 2048, 512
"""Points of a component, and in trials."""
STRAY = 0.02
"""Share of rows anywhere in the box of all cells."""
PRIOR = 3.0
"""Rows of the prior towards a sphere of the component's own size."""
ALIKE = 1.0
"""Prior of components' log eigenvalues, the smallest first, towards their means over all components, in squares."""
FLOOR = 1e-3
"""Least eigenvalue, in squared sides of the finest cell."""
FASTEST = 16.0
"""Longest stride of an accelerated step, in steps."""
GONE, BORN, TRIED, SIDEWAYS = 3, 4, 10, 2
"""Components that a move may delete; cells where one may be born; moves tried in a round; axes along which to cut."""
SURE, HOPELESS, WORTH = 2.0, 25.0, 1.0
"""Deviations of a cell where one may be born; nats a trial may stay below what there is; nats a move must gain."""
HIDDEN = 0.5
"""Deviations of a count that a component's rows must be for moves: below, no move of its rows gains `WORTH` nats."""
CROWD = 16
"""Components above which each stands as no more points than noise leaves a use for: a move costs their square."""
MANY = 6
"""Components from which on one shape is tried: fewer tell little of it, and real tables were misled as often as led."""
CHANCE = 0.75
"""Nats that a parameter of shapes gains by chance at most, half of one on average: components that are not alike by
more than that have shapes of their own."""
ALTERNATED = 3
"""Rounds of the shape by the sizes, and of the sizes by the shape."""
HALF = 0.8
"""Deviations along an axis at which halves start."""
FIRST = 4
"""Steps by which moves are compared."""
BEFORE, TRIAL, AFTER, LONG = 20, 5, 10, 40
"""Accelerated steps at most: of a start, of a move with few points, of one with all, at the end."""


@attrs.frozen(eq=False)
class Shape:
    """One mixture: weights (k,), means (k, p), roots of covariances (k, p, p)."""

    weights: Floats
    means: Floats
    roots: Floats

    @classmethod
    def of(cls, model: Full) -> Shape:
        """The first mixture of a batch."""
        weights = np.maximum(model.weights[0], 1e-6)
        return cls(
            weights / weights.sum(), model.means[0], as_floats(np.linalg.cholesky(lifted(model.covariances[0], 0.0)))
        )

    def full(self) -> Full:
        """The mixture as a batch of one."""
        return Full(self.weights[None], self.means[None], (self.roots @ np.swapaxes(self.roots, 1, 2))[None])

    def without(self, gone: int) -> Shape:
        """The mixture without one component."""
        weights = np.delete(self.weights, gone)
        return Shape(weights / weights.sum(), np.delete(self.means, gone, 0), np.delete(self.roots, gone, 0))

    def put(self, place: int, weight: float, mean: Floats, root: Floats) -> Shape:
        """The mixture with another component in one place."""
        weights, means, roots = self.weights.copy(), self.means.copy(), self.roots.copy()
        weights[place], means[place], roots[place] = weight, mean, root
        return Shape(weights / weights.sum(), means, roots)


def net(p: int, count: int) -> Floats:
    """Points (count, p) with mean 0 and covariance I, spread as a standard normal.

    Examples
    --------
    >>> points = net(2, 64)
    >>> bool(np.allclose(points.mean(axis=0), 0.0) and np.allclose(points.T @ points, 64 * np.eye(2)))
    True
    """
    from scipy.special import ndtri

    base = 2.0
    for _ in range(60):  # the root of x^(p+1) = x + 1
        base = (1.0 + base) ** (1.0 / (p + 1.0))
    places = (0.5 + np.arange(1, count + 1)[:, None] * base ** -np.arange(1.0, p + 1.0)) % 1.0
    raw = ndtri(np.clip(places, 1e-12, 1.0 - 1e-12))
    raw -= raw.mean(axis=0)
    return as_floats(np.linalg.solve(np.linalg.cholesky(raw.T @ raw / count), raw.T).T)


@attrs.frozen(eq=False)
class Fit:
    """The counts, and points for components."""

    tree: Tree
    points: Floats
    few: Floats
    floor: float
    alike: bool = False
    """Whether components have one shape, each in a size of its own."""
    common: bool = False
    """Whether they have one covariance."""

    @classmethod
    def to(cls, tree: Tree, components: int = 1, *, common: bool = False) -> Fit:
        """Points in as many columns as the tree has.

        Of a crowd the error of a component's mass in a cell, as if it were sampled, stays below the noise of a count.
        """
        p = len(tree.offset)
        many, few = max(POINTS, 8 * p * p), max(FEW, 4 * p * p)
        if components > CROWD:
            enough = (tree.rows / components) ** 2 / least_variance(tree)
            many, few = (int(np.clip(4.0 * enough / more, most / 8, most)) for more, most in ((1.0, many), (4.0, few)))
        return cls(tree, net(p, many), net(p, few), FLOOR * tree.grids[-1][0] ** 2, common=common)

    def hides(self, components: int) -> bool:
        """Whether noise hides so many components of as many rows in every count: what moves follow is noise."""
        return self.tree.rows / components < HIDDEN * math.sqrt(least_variance(self.tree))

    def seen(self, model: Shape, points: Floats) -> tuple[Floats, Ints, Floats, Floats]:
        """Points (k, q, p), their leaves, expected counts of leaves and variances of what these are off by.

        A component's mass in a cell is a mean over points: its error is of its rows over its points, as if it were
        sampled that often.
        """
        rows, q = self.tree.rows, len(points)
        x = model.means[:, None] + points[None] @ np.swapaxes(model.roots, 1, 2)
        at = self.tree.places(x)
        each = np.repeat((1.0 - STRAY) * rows * model.weights / q, q)
        size = len(self.tree.volumes)
        expected = np.bincount(at.ravel(), weights=each, minlength=size) + STRAY * rows * self.tree.volumes + NOWHERE
        return x, at, expected, expected + np.bincount(at.ravel(), weights=each * each, minlength=size)

    def score(self, model: Shape, points: Floats) -> float:
        """Log likelihood of the releases with the prior, up to a constant."""
        _, _, expected, spread = self.seen(model, points)
        return self.tree.evidence(expected, spread) + prior(model)

    def step(self, model: Shape, points: Floats) -> tuple[Shape, float]:
        """One step of EM, and the score before it."""
        x, at, expected, spread = self.seen(model, points)
        counts, score = self.tree.posterior(expected, spread)
        p = x.shape[2]
        share = (counts / expected)[at]
        total = share.sum(axis=1) + 1e-12
        mass = self.tree.rows * model.weights * share.mean(axis=1)
        means = (share[:, None, :] @ x)[:, 0] / total[:, None]
        away = x - means[:, None]
        shapes = np.swapaxes(away * share[:, :, None], 1, 2) @ away / total[:, None, None]
        if self.common:
            one = (mass @ shapes.reshape(len(mass), -1)).reshape(1, p, p) / max(mass.sum(), NOWHERE)
            shapes = np.repeat(one, len(mass), axis=0)
        elif self.alike and mass.any():
            shapes = alike(shapes, mass)
        else:
            sphere = np.trace(shapes, axis1=1, axis2=2) / p
            shapes = mass[:, None, None] * shapes + (PRIOR * sphere)[:, None, None] * np.eye(p)
            shapes /= (mass + PRIOR)[:, None, None]
        shapes = nearer(lifted(shapes, self.floor), mass)
        weights = np.maximum(mass, 1e-6 * self.tree.rows)
        return Shape(weights / weights.sum(), means, as_floats(np.linalg.cholesky(shapes))), score + prior(model)

    def settled(self, model: Shape, points: Floats, most: int, tolerance: float) -> tuple[Shape, float]:
        """After at most so many accelerated steps (Varadhan and Roland 2008), and its score."""
        before = -math.inf
        for _ in range(most):
            one, _ = self.step(model, points)
            two, score = self.step(one, points)
            best = two
            far = _strided(model, one, two)
            if far is not None:
                tried, found = self.step(far, points)
                if found >= score:
                    best, score = tried, found
            model = best
            if score - before < tolerance:
                break
            before = score
        return model, self.score(model, points)


def least_variance(tree: Tree) -> float:
    """Smallest variance of the noise of any cell's count."""
    return min(float(layer.variance.min()) for layer in tree.layers[1:])


def prior(model: Shape) -> float:
    """Log density of the prior of shapes, up to a constant."""
    logs = np.log(np.linalg.eigvalsh(model.roots @ np.swapaxes(model.roots, 1, 2)))
    return -0.5 * ALIKE * float(((logs - logs.mean(axis=0)) ** 2).sum())


def nearer(shapes: Floats, mass: Floats) -> Floats:
    """Covariances (k, p, p) of components with so many rows, pulled towards one another as the prior asks.

    Examples
    --------
    >>> wide, narrow = nearer(np.array([[[4.0]], [[1.0]]]), np.array([2.0, 2.0]))[:, 0, 0]
    >>> bool(np.isclose(wide, 4.0**0.75) and np.isclose(narrow, 4.0**0.25))
    True
    """
    values, vectors = np.linalg.eigh(shapes)
    logs = np.log(values)
    logs += (ALIKE / (ALIKE + 0.5 * mass))[:, None] * (logs.mean(axis=0) - logs)
    return as_floats((vectors * np.exp(logs)[:, None, :]) @ np.swapaxes(vectors, 1, 2))


def alike(shapes: Floats, mass: Floats) -> Floats:
    """The likeliest covariances (k, p, p) that are multiples of one another, of components with these moments and rows.

    Examples
    --------
    >>> one = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> bool(np.allclose(alike(np.array([one, 4.0 * one]), np.array([10.0, 20.0])), [one, 4.0 * one]))
    True
    """
    p = shapes.shape[1]
    shapes = lifted(shapes, TINY * np.trace(shapes, axis1=1, axis2=2).max())
    sizes = np.trace(shapes, axis1=1, axis2=2) / p
    for _ in range(ALTERNATED):
        common = np.einsum("j,jab->ab", mass / sizes, shapes) / mass.sum()
        sizes = np.trace(np.linalg.solve(common, shapes), axis1=1, axis2=2) / p
    return as_floats(sizes[:, None, None] * common)


def _strided(first: Shape, second: Shape, third: Shape) -> Shape | None:
    """Where two steps lead if they go on; None where they turn, or there is no such mixture."""
    size = np.sqrt((third.roots**2).sum(axis=(1, 2)) / third.means.shape[1])
    p = third.means.shape[1]

    def flat(model: Shape) -> Floats:
        return np.concatenate(
            [np.log(model.weights), (model.means / size[:, None]).ravel(), (model.roots / size[:, None, None]).ravel()]
        )

    a, b, c = flat(first), flat(second), flat(third)
    step, bend = b - a, c - 2.0 * b + a
    turned = float(np.linalg.norm(bend))
    stride = min(float(np.linalg.norm(step)) / turned, FASTEST) if turned > 0.0 else FASTEST
    if stride <= 1.01:
        return None
    found = a + 2.0 * stride * step + stride**2 * bend
    k = len(size)
    logs, means, roots = found[:k], found[k : k + k * p].reshape(k, p), found[k + k * p :].reshape(k, p, p)
    if not np.isfinite(found).all() or roots[:, np.arange(p), np.arange(p)].min() <= 0.0:
        return None
    weights = np.exp(logs - logs.max())
    weights = np.maximum(weights / weights.sum(), 1e-6)
    return Shape(weights / weights.sum(), means * size[:, None], roots * size[:, None, None])


def likeliest(tree: Tree, starts: Sequence[Full]) -> Full:
    """The likeliest mixture that some starts and moves lead to.

    Parameters
    ----------
    tree : Tree
    starts : sequence of Full
        Batches of one, in as many columns.
    """
    fit = Fit.to(tree, len(starts[0].weights[0]))
    shapes = [Shape.of(start) for start in starts]
    best = _sought(fit, shapes)
    k, p = best[0].means.shape
    if p > 1 and k >= MANY:
        likewise = _sought(attrs.evolve(fit, alike=True), [*shapes, best[0]])
        if likewise[1] > best[1] - CHANCE * (k - 1) * (0.5 * p * (p + 1.0) - 1.0):
            return likewise[0].full()
    return best[0].full()


def _sought(fit: Fit, starts: Sequence[Shape]) -> tuple[Shape, float]:
    """The likeliest that starts and moves lead to, and its score."""
    settled = [fit.settled(start, fit.points, BEFORE, 0.5) for start in starts]
    best, score = max(settled, key=lambda found: found[1])
    for _ in range(0 if fit.hides(len(best.weights)) else 2 * len(best.weights)):
        moved = next((m for m in _moved(fit, best, score) if m[1] > score + WORTH), None)
        if moved is None:
            break
        best, score = moved
    return fit.settled(best, fit.points, LONG, 0.05)


Offer = tuple[float, int, Shape, tuple[float, Floats, Floats]]
"""Nats gained, the component that is cut (-1 for none), what stays of the mixture, and one more component."""


def _moved(fit: Fit, model: Shape, score: float) -> Iterator[tuple[Shape, float]]:
    """What comes of moves, the most promising first: a component deleted, and another one cut or born in its place."""
    if len(model.weights) < 2:
        return
    base = fit.score(model, fit.few)
    losses = [base - _after(fit, model.without(j))[1] for j in range(len(model.weights))]
    offers = sorted([*_cuts(fit, model, base), *_births(fit, model)], key=lambda offer: -offer[0])
    for _, cut, rest, new in offers[:TRIED]:
        for gone in np.argsort(losses, kind="stable")[:GONE]:
            if gone == cut:
                continue
            trial, _ = fit.settled(rest.put(int(gone), *new), fit.few, TRIAL, 1.0)
            trial, found = fit.settled(trial, fit.points, 1, 1.0)
            if found > score - HOPELESS:
                yield fit.settled(trial, fit.points, AFTER, 1.0)


def _after(fit: Fit, trial: Shape) -> tuple[Shape, float]:
    """After some steps with few points, and its score."""
    for _ in range(FIRST):
        trial, _ = fit.step(trial, fit.few)
    return trial, fit.score(trial, fit.few)


def _cuts(fit: Fit, model: Shape, base: float) -> Iterator[Offer]:
    """Each component in two halves, along its longest axes."""
    p = model.means.shape[1]
    values, vectors = np.linalg.eigh(model.roots @ np.swapaxes(model.roots, 1, 2))
    for j, mean in enumerate(model.means):
        for axis in range(p)[::-1][:SIDEWAYS]:
            along = HALF * math.sqrt(values[j, axis]) * vectors[j, :, axis]
            shape = (vectors[j] * values[j]) @ vectors[j].T - np.outer(along, along)
            root = as_floats(np.linalg.cholesky(lifted(shape, TINY * values[j, -1])))
            weights = np.append(model.weights, 0.5 * model.weights[j])
            weights[j] = weights[-1]
            near = model.put(j, 1.0, mean - along, root)
            means = np.concatenate([near.means, (mean + along)[None]])
            pair, found = _after(fit, Shape(weights, means, np.concatenate([near.roots, root[None]])))
            rest = Shape(pair.weights[:-1], pair.means[:-1], pair.roots[:-1])
            yield found - base, j, rest, (float(pair.weights[-1]), pair.means[-1], pair.roots[-1])


def _births(fit: Fit, model: Shape) -> Iterator[Offer]:
    """A component in each of the cells that hold most beyond what is expected there, none beside another one."""
    above, rows, centres, sizes = fit.tree.residuals(fit.seen(model, fit.points)[2])
    chosen: list[int] = []
    for i in np.argsort(-above, kind="stable")[: 10 * BORN]:
        if len(chosen) == BORN or above[i] < SURE:
            return
        if all(np.abs(centres[i] - centres[c]).max() > 0.5 * (sizes[i] + sizes[c]) for c in chosen):
            chosen.append(int(i))
            weight = float(np.clip(rows[i] / fit.tree.rows, 0.01, 0.5))
            root = sizes[i] / math.sqrt(12.0) * np.eye(centres.shape[1])
            yield 0.5 * float(above[i]) ** 2, -1, model, (weight, centres[i], root)
