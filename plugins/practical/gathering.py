"""Passes where rows are scarce: what they see is gathered, and components that found no rows are given others' halves.

A pass of a small share is noise in good part, but a component that did not move sees the same moments in each. They are
averaged by the variances of their noise; what two passes differ by beyond that noise counts against the older one. A
move that the noise of all of them explains is not made (James and Stein), but by a mean of many columns half of it:
there the model has its mean from fewer of the same passes, and what it differs by is its own noise, not theirs.
Moments are not matched, which assumes that the model is nearly right, so a pass takes no time beside its statistic.

A component that found no rows never finds any. The component that is longest for its directions, by its weight, is cut
across, and the empty one is its second half. Halves of one Gaussian stay near each other in the next pass, two clusters
move apart: the former are put together again and the next longest component is cut. Post-processing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import Domain, Post, Record, Slot, Symmetric, Whitening, register, wants
from dpframe_plugins.shared.records import wants_record

from .local import SMALLEST, Local, apply, invert, lifted, shrink_covariance
from .nodes import answering, slots
from .passes import split_augmented
from .pooling import LEAST, pooled
from .records import Floats, Mixture, Moments, as_floats, conditioned
from .truncation import response

ALIVE, EMPTY, FRESH = 2.0, 3.0, 1.0
"""Deviations of a count above 0: from the first a component moves, below the second it is empty; below the third where
it was cut before this pass, whose noise alone the count has."""
UNKNOWN = 10.0
"""Noise in the covariance of a component that found no rows, at least: nothing is known of it."""
FAR = 0.3
"""Mean of clipped rows over the clip radius from which on their shape is the clip's: a component keeps its own."""
HALF = 0.8
"""Deviations along an axis at which halves start."""
APART = 2.6
"""Halves of one Gaussian lie 1.7 to 2.3 of their deviations apart after a pass, two clusters 3 or more."""
MENDED = 2
"""Passes before the first, and after the last, that cuts components for empty ones."""
LAGGING, HALFWAY = 10, 0.5
"""Columns from which on a mean moves at least so far towards what all passes saw of it, from the second pass on, and a
covariance of the result."""
READABLE, BEYOND = 1.5, 2.0
"""Rows of a half over the noise of a diagonal entry: with fewer its width along the cut is noise, unless its
eigenvalue exceeds the typical one by so many spectral norms of the noise."""


@attrs.frozen(eq=False)
class Gathered:
    """What passes have seen, in frame units, before any of it was pulled towards a model.

    Parameters
    ----------
    counts, count_variances : arrays of shape (k,)
    means, covariances : arrays of shape (k, d) and (k, d, d)
    mean_variances, entry_variances : arrays of shape (k,)
        Of the noise, for a coordinate and for a diagonal entry, where a component's covariance is ``roots @ roots.T``.
    roots : array of shape (k, d, d)
    known : boolean array of shape (k,)
        Whether there is anything of a component.
    cuts : tuple of (int, int)
        Halves that this pass's model had first.
    whole : frozenset of int
        Components that were put together again: they are not cut twice.
    """

    counts: Floats
    count_variances: Floats
    means: Floats
    covariances: Floats
    mean_variances: Floats
    entry_variances: Floats
    roots: Floats
    known: NDArray[np.bool_]
    cuts: tuple[tuple[int, int], ...] = ()
    whole: frozenset[int] = frozenset()


def update(model: Mixture, moments: Moments, *, mends: bool = False, cuts: bool = False) -> Mixture:
    """The next mixture from a pass and all that earlier ones saw (``model.gathered``).

    Parameters
    ----------
    model : Mixture
        The mixture the pass was taken with.
    moments : Moments
    mends : bool
        Whether halves that lie near each other are put together.
    cuts : bool
        Whether components are cut for empty ones: there must be a pass more to mend them.
    """
    before: Gathered | None = model.gathered
    seen, now = _gather(model, moments, before)
    k, d = seen.means.shape
    means, covariances = seen.means.copy(), seen.covariances.copy()
    parts = [_parts(lower, model.basis) for lower in model.cholesky]
    commons = [_common(covariances, [each[i] for each in parts], now) for i in range(len(parts[0]))]
    for j in range(k):
        noise = now.mean_variances[j], now.entry_variances[j]
        least = HALFWAY if d >= LAGGING and before is not None and before.known[j] else 0.0
        means[j], covariances[j] = _pulled(means[j], covariances[j], *noise, parts[j], commons, least)
    here = Local.identity(seen.weights, d)
    moved = Local(
        seen.weights,
        np.where(now.known[:, None], means, here.means),
        np.where(now.known[:, None, None], covariances, here.covariances),
    ).repaired()
    noise = np.sqrt(2.0 * d * now.entry_variances)
    noise = np.where(now.known, noise, np.maximum(noise, UNKNOWN))
    found = attrs.evolve(
        apply(model, moved), noise=noise, gathered=now, basis=model.basis, mean_noise=np.sqrt(now.mean_variances)
    )
    if not mends:
        return found
    fresh = np.ones(k, dtype=bool) if before is None else ~before.known
    empty = now.counts < np.where(fresh, FRESH, EMPTY) * np.sqrt(now.count_variances)
    return _mended(found, empty, moments if cuts else None)


def _weighed(new: float, old: float, gap: float) -> tuple[float, float]:
    """Weight of the older of two estimates with these variances and this squared difference, and the result's."""
    old += max(0.0, gap - new - old)
    weight = new / (new + old)
    return weight, weight * old


def _gather(model: Mixture, moments: Moments, before: Gathered | None) -> tuple[Local, Gathered]:
    """Moments in the whitened coordinates of the model, of this pass and those before, and their noise."""
    k, d = moments.sums.shape
    counts, spread = moments.counts.copy(), np.full(k, moments.count_std**2)
    for j in range(k):
        if before is not None and before.known[j]:
            gap = float(before.counts[j] - counts[j])
            weight, spread[j] = _weighed(spread[j], float(before.count_variances[j]), gap**2)
            counts[j] += weight * gap
    alive = counts >= ALIVE * np.sqrt(spread)
    rows = np.maximum(counts, np.maximum(ALIVE * np.sqrt(spread), 1.0))
    seen = invert(rows, moments.sums, moments.grams, moments.clip)
    means, covariances = seen.means.copy(), seen.covariances.copy()
    mean_variances, entry_variances = np.empty(k), np.empty(k)
    for j in range(k):
        scale = max(float(np.trace(covariances[j])) / d, SMALLEST)
        factors = response(d, moments.clip / math.sqrt(scale))
        mean_noise = (moments.sum_std / (rows[j] * factors.mean)) ** 2
        noise = (moments.gram_std / (rows[j] * factors.shape)) ** 2
        means[j] *= min(1.0, moments.clip / max(float(np.linalg.norm(means[j])), 1e-300))
        if float(np.linalg.norm(moments.sums[j])) > FAR * rows[j] * moments.clip:
            covariances[j] = np.eye(d)
        covariances[j] += min(mean_noise, scale) * np.eye(d)
        if before is not None and before.known[j]:
            inverse = np.linalg.inv(model.cholesky[j])
            change = inverse @ before.roots[j]
            change = change.T @ change
            old_mean = inverse @ (before.means[j] - model.means[j])
            old = inverse @ before.covariances[j] @ inverse.T
            trace = float(np.trace(change))
            old_noise = float(before.entry_variances[j]) * (trace**2 + float((change**2).sum())) / (d * (d + 1.0))
            gap = float(((old_mean - means[j]) ** 2).sum()) / d
            weight, mean_noise = _weighed(mean_noise, float(before.mean_variances[j]) * trace / d, gap)
            means[j] += weight * (old_mean - means[j])
            gap = float(((old - covariances[j]) ** 2).sum()) / (0.5 * d * (d + 1.0))
            weight, noise = _weighed(noise, old_noise, gap)
            covariances[j] += weight * (old - covariances[j])
        mean_variances[j], entry_variances[j] = mean_noise, noise
    root = model.cholesky
    now = Gathered(
        counts=counts,
        count_variances=spread,
        means=model.means + (root @ means[:, :, None])[:, :, 0],
        covariances=root @ covariances @ np.swapaxes(root, 1, 2),
        mean_variances=mean_variances,
        entry_variances=entry_variances,
        roots=root,
        known=alive,
        cuts=before.cuts if before is not None else (),
        whole=before.whole if before is not None else frozenset(),
    )
    return Local(rows / rows.sum(), means, covariances), now


def _believed(seen: float, expected: float, variance: float) -> float:
    """What is left of a difference by the known variance of its noise."""
    off = seen - expected
    return expected + off * max(0.0, 1.0 - variance / max(off * off, 1e-300))


def _parts(lower: Floats, basis: Floats | None) -> list[Floats]:
    """Orthonormal bases, in the whitened coordinates of a component, of what has a size of its own.

    What the first mixture knew nothing of (all directions but those of ``basis``), and the rest.
    """
    d = len(lower)
    if basis is None or basis.shape[1] >= d:
        return [np.eye(d)]
    p = basis.shape[1]
    outside = np.linalg.qr(np.concatenate([basis, np.eye(d)], axis=1))[0][:, p:d]
    turned = as_floats(np.linalg.qr(np.concatenate([lower.T @ outside, np.eye(d)], axis=1))[0])
    return [turned[:, d - p :], turned[:, : d - p]]


def _size(covariance: Floats, part: Floats) -> float:
    """Mean variance along the directions of a part."""
    return float(((covariance @ part) * part).sum()) / float(part.shape[1])


def _common(covariances: Floats, parts: Sequence[Floats], now: Gathered) -> float:
    """The size that all components' are pulled to in a part, each told with some noise."""
    width = parts[0].shape[1]
    believed = width * now.known / now.entry_variances
    precision = max(float(believed.sum()), 1e-300)
    sizes = np.array([max(_size(*each), SMALLEST) for each in zip(covariances, parts, strict=True)])
    return _believed(float(believed @ sizes) / precision if now.known.any() else 1.0, 1.0, 1.0 / precision)


def _pulled(
    mean: Floats,
    covariance: Floats,
    mean_variance: float,
    variance: float,
    parts: Sequence[Floats],
    commons: Sequence[float],
    least: float = 0.0,
) -> tuple[Floats, Floats]:
    """A mean, the sizes of parts and a shape pulled towards 0, common sizes and I by the known energy of their noise.

    At least ``least`` of the mean is kept. Sizes that differ by noise alone are fatal in many columns, where the
    narrower component loses all its rows.
    """
    d = mean.size
    mean = mean * max(least, 1.0 - d * mean_variance / max(float(mean @ mean), 1e-300))
    level = np.zeros((d, d))
    for part, common in zip(parts, commons, strict=True):
        here, seen = part @ part.T, _size(covariance, part)
        size = _believed(max(seen, SMALLEST), common, variance / part.shape[1])
        covariance = covariance + (size - seen) * here
        level += size * here
    return mean, shrink_covariance(covariance, math.sqrt(variance), level)


def pulled(model: Mixture, size: float = 1.0) -> tuple[Mixture, Floats]:
    """The last mixture, its covariances drawn to what all passes saw, and the share of its noise that each has left.

    They lag as means do, but passes taken with shapes of noise lose components: it is for the result alone. What passes
    saw is pulled towards a shape that components share (`pooling`). The less of a component's own shape is believed the
    more of that is taken; of one that is believed half in many columns, nothing in few. Eigenvalues are held at a part
    of the noise, as in `shrink_covariance`.

    Parameters
    ----------
    model : Mixture
        What `update` made of the last pass.
    size : float
        Squared distances of rows over those of the mixture's own, in the mean, where they are known to be larger: clips
        took something off, or shapes are noise. Then no shape that is believed becomes narrower, and all grow half of
        the way.

    Returns
    -------
    Mixture, array of shape (k,)
        Of noise in the mean square, as a factor of its deviations.
    """
    now: Gathered | None = model.gathered
    k, d = model.means.shape
    if now is None or d < LEAST:
        return model, np.ones(k)
    seen = pooled(now.covariances, now.roots, now.entry_variances, now.known)
    lower, own = model.cholesky.copy(), HALFWAY if d >= LAGGING else 1.0
    for j in np.flatnonzero(now.known):
        kept = float(seen.kept[j])
        inverse = np.linalg.inv(now.roots[j])
        mixed = own * kept * model.covariances[j] + (1.0 - own * kept) * seen.covariances[j]
        values, vectors = np.linalg.eigh(inverse @ mixed @ inverse.T)
        norm, scale = float(model.noise[j]) * math.sqrt(float(seen.noise[j])), max(float(values.mean()), SMALLEST)
        root = now.roots[j] @ vectors
        found = (root * lifted(values, norm, scale)) @ root.T
        if size > 1.0:
            found = (kept * _widened(lower[j], found) + (1.0 - kept) * found) * size**HALFWAY
        lower[j] = np.linalg.cholesky(found)
    return attrs.evolve(model, cholesky=conditioned(lower)), np.sqrt(seen.noise)


def _widened(lower: Floats, other: Floats) -> Floats:
    """``lower @ lower.T``, wider where another covariance is wider, and nowhere narrower."""
    inverse = np.linalg.inv(lower)
    values, vectors = np.linalg.eigh(inverse @ other @ inverse.T)
    root = lower @ vectors
    return as_floats((root * np.maximum(values, 1.0)) @ root.T)


def _mended(model: Mixture, empty: NDArray[np.bool_], moments: Moments | None) -> Mixture:
    """Halves of one Gaussian put together; with moments, whose noise says which are large enough, others cut."""
    now: Gathered = model.gathered
    weights, means, covariances = model.weights.copy(), model.means.copy(), model.covariances
    known, whole = now.known.copy(), set(now.whole)
    free = [int(i) for i in np.flatnonzero(empty)]
    for i, j in now.cuts:
        if i in free or j in free or _apart(means, covariances, i, j) >= APART:
            continue
        part, gap = weights[i] / (weights[i] + weights[j]), means[i] - means[j]
        covariances[j] += part * (covariances[i] - covariances[j]) + part * (1.0 - part) * np.outer(gap, gap)
        means[j] += part * gap
        weights[j], weights[i], known[j] = weights[i] + weights[j], 0.0, False
        whole.add(j)
        free.append(i)
    cuts = []
    if moments is not None and 0 < len(free) < weights.size:
        rows = weights * max(float(moments.counts.sum()), 1.0)
        gains, axes = long_ones(weights, means, covariances, np.setdiff1d(np.arange(weights.size), free))
        longer = np.expm1(2.0 * np.maximum(gains, 0.0) / weights.clip(min=1e-300))
        able = (rows > 2.0 * READABLE * moments.gram_std) | (longer > BEYOND * model.noise)
        able &= rows > 2.0 * EMPTY * moments.count_std
        able[[*free, *whole]] = False
        order = [int(j) for j in np.argsort(-gains, kind="stable") if able[j] and gains[j] > 0.0]
        for i, j in zip(free, order, strict=False):
            step = HALF * axes[j]
            weights[i] = weights[j] = 0.5 * weights[j]
            means[i], means[j] = means[j] + step, means[j] - step
            covariances[i] = covariances[j] = covariances[j] - np.outer(step, step)
            known[i] = known[j] = False
            cuts.append((i, j))
    weights = np.maximum(weights, 1e-6)
    state = attrs.evolve(now, known=known, cuts=tuple(cuts), whole=frozenset(whole))
    return attrs.evolve(
        model, weights=weights / weights.sum(), means=means, cholesky=np.linalg.cholesky(covariances), gathered=state
    )


def _apart(means: Floats, covariances: Floats, i: int, j: int) -> float:
    """Distance of two components in the metric of their mean covariance."""
    gap = means[i] - means[j]
    return math.sqrt(float(gap @ np.linalg.solve(0.5 * (covariances[i] + covariances[j]), gap)))


def long_ones(weights: Floats, means: Floats, covariances: Floats, among: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """What each component would gain by being two, if it is too long for one, and the axis along which it is long.

    Long is measured in the metric of the harmonic mean of all covariances, which two clusters in one component hardly
    change: the largest eigenvalue over the median one.

    Examples
    --------
    >>> three = np.array([np.diag([1.0, 9.0]), np.eye(2), np.eye(2)])
    >>> gains, axes = long_ones(np.full(3, 1 / 3), np.zeros((3, 2)), three, np.arange(3))
    >>> int(gains.argmax()), np.abs(axes[0]).round(3).tolist()
    (0, [0.0, 3.0])
    """
    gains, axes = np.full(weights.size, -math.inf), np.zeros_like(means)
    root = np.linalg.cholesky(np.linalg.inv(np.linalg.inv(covariances[among]).mean(axis=0)))
    inverse = np.linalg.inv(root)
    for j in among:
        values, vectors = np.linalg.eigh(inverse @ covariances[j] @ inverse.T)
        typical = float(np.median(values)) if values.size > 1 else 1.0
        gains[j] = 0.5 * float(weights[j]) * math.log(max(float(values[-1]) / typical, 1.0))
        axes[j] = math.sqrt(float(values[-1])) * (root @ vectors[:, -1])
    return gains, as_floats(axes)


@register("practical.gather")
@attrs.frozen
class Gather(Post):
    """The next mixture from the noisy augmented Gram matrices of one pass and of those before: see `update`."""

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "grams", "whitening")
    mends: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))
    cuts: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.mixture", self.name)
        wants(inputs[1], Symmetric, self.name)
        wants(inputs[2], Whitening, self.name)
        return Record("practical.mixture")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Undo the units of the statistic, then update."""
        model, grams, whitening = values
        unit = whitening.anchor**2 + whitening.clip**2
        moments = split_augmented(np.asarray(grams) * unit, whitening.clip, noise[1] * unit, whitening.anchor)
        return update(model, moments, mends=self.mends, cuts=self.cuts)
