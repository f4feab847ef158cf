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
from numpy.typing import NDArray

from . import seeding
from .cells import Points, few_points, points
from .common import likeliest_common
from .fitting import FLOOR, Full, floors, lifted, step
from .moves import improved
from .records import Cells, Floats, Mixture
from .regions import Regions, regions
from .seeding import Spherical, plus_plus, spherical_em
from .subspace import Subspace
from .tree_fits import likeliest
from .trees import Tree

STARTS = 10
"""k-means++ starts in plain and as many in whitened cells, besides the spherical solution."""
SHORT, LONG, FINALISTS, IMPROVED = 15, 60, 4, 2
MOST_BOXED = 200_000
"""Cells times components times columns squared up to which mixtures are fitted to the mass in cells, too."""
BOXED, COARSE, QUICK, LIKELIEST = 20, 12, 5, 12
"""k-means++ starts by the mass in cells, up to so many cells a component. Where there are more, starts from cells taken
for points are near enough: so many steps by mass, and so many of the likeliest go on; twice as many are improved."""
GAIN, CHANCE, THRESHOLD = 0.02, 2.0, 5.0
"""Nats a row by which other starts must beat the spherical one. Full covariances must beat spheres by `CHANCE` times
what their parameters gain from the cells' noise more; its deviation is about the smallest count over `THRESHOLD`."""
APART = 0.7
"""Deviations of a component from every other one's means from which on the solutions are different ones."""
REST = 1e-5
"""Change of nats a row in a step from which on more steps are none: passes tell differences of mixtures no finer."""
NEAR = 0.03
"""Nats a row below the likeliest up to which other solutions are tried as well."""
MOST = 2
"""Solutions that are tried, spheres among them."""


@attrs.frozen(eq=False)
class Starts:
    """Distinct mixtures in frame units, the likeliest by the cells first, and the cells they were found in, if any.

    ``tree`` has all counts, where all were released.
    """

    candidates: tuple[Mixture, ...]
    points: Points | None = None
    space: Subspace | None = None
    tree: Tree | None = None

    def at(self, place: int, places: int) -> Mixture:
        """The start in a place, told how many places it stands in."""
        own = place % len(self.candidates)
        return attrs.evolve(self.candidates[own], copies=len(range(own, places, len(self.candidates))))

    def beside(self, other: Starts) -> Starts:
        """The best of these and of others, with the cells of these."""
        return attrs.evolve(self, candidates=(self.candidates[0], other.candidates[0]))


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


def deconvolved(data: Points, spherical: Spherical, model: Full) -> tuple[list[Full], bool]:
    """Mixtures with full covariances that are no other's equal, each a batch of one; whether the first beats spheres.

    The likeliest first, those that are within `NEAR` nats a row of it.

    Parameters
    ----------
    data : Points
    spherical : Spherical
        The best spherical mixture of the cells, as a batch of one.
    model : Full
        What `starts` become in `SHORT` steps, the spherical mixture first.
    """
    plain = step(data, rounds(data, _sphere(spherical, data), SHORT, spheres=True))[1][0]
    score = step(data, model)[1]
    kept = [0, *(int(i) for i in np.argsort(-score, kind="stable") if i)][:FINALISTS]
    model = rounds(data, model.take(kept), LONG)
    score = step(data, model)[1]
    order = np.argsort(-score, kind="stable")
    best = [improved(data, model.take([int(i)])) for i in order[:IMPROVED]]
    model = Full.joined([*(found for found, _ in best), model.take([int(i) for i in order[IMPROVED:]])])
    score = np.array([*(value for _, value in best), *score[order[IMPROVED:]]])
    first = order == 0
    known, found = [spherical.means[0]], []
    for i in np.argsort(-score - GAIN * first, kind="stable"):
        one = model.take([int(i)])
        if score[i] > score.max() - NEAR and all(differs(one, means) for means in known):
            known.append(one.means[0])
            found.append((one, float(score[i])))
    return [one for one, _ in found], bool(found) and found[0][1] > plain + margin(data, spherical.weights.shape[1])


def moved(data: Points, spherical: Spherical) -> Spherical:
    """A spherical mixture (a batch of one) after the moves that pay; itself where none does."""
    p = data.positions.shape[1]
    if spherical.weights.shape[1] == 1:
        return spherical
    start = _sphere(spherical, data)
    found, _score = improved(data, start, spheres=True)
    if found is start:
        return spherical
    return Spherical(found.weights, found.means, np.trace(found.covariances, axis1=2, axis2=3) / p)


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
    """``count`` steps of every member, fewer of one that has come to rest: see `REST`."""
    return _led(data, model, count, spheres=spheres)[0]


def _led(data: Points, model: Full, count: int, *, spheres: bool = False) -> tuple[Full, Floats]:
    """As `rounds`; also each member's score before its last step."""
    floor, going = floors(data), np.arange(len(model.weights))
    scores = np.full(len(going), math.inf)
    for _ in range(count):
        moved, now = step(data, model.take(going), spheres=spheres, floor=floor)
        model, rests = model.put(going, moved), abs(now - scores[going]) < REST
        scores[going] = now
        going = going[~rests]
        if not len(going):
            break
    return model, scores


def lift(model: Full, space: Subspace) -> Mixture:
    """A mixture in the whole frame: `Subspace.whole`."""
    weights, inside = model.weights[0], model.covariances[0]
    otherwise = float(weights @ np.trace(inside, axis1=1, axis2=2)) / inside.shape[1]
    means, covariances = space.whole(model.means[0], inside, otherwise)
    lower = np.linalg.cholesky(0.5 * (covariances + np.swapaxes(covariances, 1, 2)))
    return Mixture(weights, means, lower, basis=space.known)


def first_mixtures(
    levels: Sequence[Cells], offset: Floats, components: int, space: Subspace, seed: int, tree: Tree | None = None
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
    tree : Tree
        All counts, where there are more than what was published; the likeliest mixture by them comes first then, the
        likeliest with one covariance second, where it differs.
    """
    data, boxes = points(levels, offset), regions(levels, offset)
    if data is None or boxes is None:
        return None
    few = few_points(levels, offset)
    spherical = moved(few, spherical_em(data, components, seed))
    if components == 1:
        return Starts((seeding.lift(spherical, space),), few, space, tree)
    sought = rounds(few, starts(few, components, spherical, seed), SHORT)
    full, better = deconvolved(few, spherical, sought)
    found = [seeding.lift(spherical, space), *(lift(one, space) for one in full)]
    if better:  # spheres are tried all the same: what lies within a cell can prefer them
        found[:2] = found[1::-1]
    m, tried = len(boxes.weights), [_sphere(spherical, few), *full]
    quickly, coarse = m * components * len(offset) ** 2 <= MOST_BOXED, m <= COARSE * components
    best: list[Full] = []
    if quickly and coarse:
        best = [settled(boxes, Full.joined([by_spheres(boxes, components, seed), *tried]), IMPROVED)]
    counted = _by_all_counts(tree, [*tried, *best])
    best += counted
    if quickly and not best:
        batch = Full.joined([quick(boxes, sought), *tried])
        best = [settled(boxes, distinct(batch, np.arange(len(batch.weights))), 2 * IMPROVED)]
    for one in best:
        found = [lift(one, space), *(other for other in found if differs(one, other.means @ space.basis))]
    if tree is not None and counted:
        found = _with_common(tree, few, sought, counted[0], space, found)
    return Starts(tuple(found[:MOST]), few, space, tree)


def _by_all_counts(tree: Tree | None, starts: Sequence[Full]) -> list[Full]:
    """The likeliest mixture by all counts; none where float64 does not get there: then the others stay."""
    try:
        found = [] if tree is None else [likeliest(tree, starts)]
    except (np.linalg.LinAlgError, ArithmeticError):
        return []
    return [one for one in found if _is_finite(one)]


def _with_common(
    tree: Tree, data: Points, sought: Full, best: Full, space: Subspace, found: list[Mixture]
) -> list[Mixture]:
    """The starts, and second one with a common covariance, where it differs from the likeliest."""
    try:
        one = likeliest_common(tree, data, sought)
        second = [lift(one, space)] if _is_finite(one) and differs(one, best.means[0]) else []
    except (np.linalg.LinAlgError, ArithmeticError):
        return found
    return [found[0], *second, *found[1:]]


def _is_finite(model: Full) -> bool:
    return all(np.isfinite(part).all() for part in attrs.astuple(model))


def _sphere(spherical: Spherical, data: Points) -> Full:
    """A spherical mixture (a batch of one) of points as one of rows, with the points' own width taken out."""
    width = float(data.weights @ data.variances) / float(data.weights.sum())
    sizes = np.maximum(spherical.variances - width, float(data.variances.min()))
    return Full(spherical.weights, spherical.means, sizes[:, :, None, None] * np.eye(data.positions.shape[1]))


def by_spheres(data: Regions, components: int, seed: int) -> Full:
    """Spherical mixtures by the mass of components in cells, with moves: `FINALISTS` of `BOXED` k-means++ starts."""
    rng = np.random.default_rng([seed, 2])
    p = data.positions.shape[1]
    weights = data.weights / data.weights.sum()
    away = data.positions - weights @ data.positions
    size = float(weights @ ((away**2).mean(axis=1) + data.variances)) / components ** (2.0 / p)
    shape = np.broadcast_to(size * np.eye(p), (BOXED, components, p, p))
    model = Full(np.full((BOXED, components), 1.0 / components), plus_plus(data, components, BOXED, rng), shape)
    model = rounds(data, model, SHORT, spheres=True)
    best = np.argsort(-step(data, model, spheres=True)[1], kind="stable")[:FINALISTS]
    model = rounds(data, model.take([int(i) for i in best]), 2 * SHORT, spheres=True)
    return Full.joined([improved(data, model.take([i]), spheres=True)[0] for i in range(len(best))])


def quick(data: Regions, model: Full) -> Full:
    """The likeliest few of a batch after some steps by the mass of components in cells, none like another."""
    model, scores = _led(data, distinct(model, np.arange(len(model.weights))), QUICK)
    return distinct(model, np.argsort(-scores, kind="stable")[:LIKELIEST])


def distinct(model: Full, order: NDArray[np.intp]) -> Full:
    """Members of a batch in this order, without those that find what an earlier one does."""
    return model.take([own[0] for own in alike(model, order)])


def alike(model: Full, order: NDArray[np.intp]) -> list[list[int]]:
    """Members of a batch in this order, each followed by later ones that find what it does."""
    groups: list[list[int]] = []
    for i in order.tolist():
        one = model.take([i])
        known = next((own for own in groups if not differs(one, model.means[own[0]])), None)
        if known is None:
            groups.append([i])
        else:
            known.append(i)
    return groups


def settled(data: Regions, model: Full, most: int) -> Full:
    """The likeliest of a batch by the mass of components in cells, after EM and moves of so many: a batch of one.

    Of members that become alike on the way the likeliest goes on.
    """
    copies = [1] * len(model.weights)
    for _ in range(2 * SHORT // QUICK):
        model, scores = _led(data, model, QUICK)
        groups = alike(model, np.argsort(-scores, kind="stable"))
        model, copies = model.take([own[0] for own in groups]), [sum(copies[i] for i in own) for own in groups]
    best = model.take([i for i in range(len(copies)) if sum(copies[:i]) < most])
    return max((improved(data, best.take([i])) for i in range(len(best.weights))), key=lambda found: found[1])[0]
