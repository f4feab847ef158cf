"""A Gaussian from noisy moments of its whitened and clipped rows, step by step: functions of released values.

Rows are whitened by a current estimate ``(mean, root)``, ``z = root^-1 (x - mean)``, clipped to a radius ``c``
that holds *most* of N(0, I), and the matrix ``sum y y^T`` of ``y = (a, z)`` is released: its corner is
``a^2`` times the number of rows, its first row ``a sum z``, the rest ``sum z z^T``. What clipping does to these is
known and undone (`dpframe_plugins.shared.truncation`): a radius that holds nearly *all* rows, as tail bounds give,
would cost two to five times the noise.

In the order of matrices, ``A = root^-1`` whitens rows as ``x A^T``, and an estimate ``Z`` of the covariance of
the whitened rows gives ``root Z root^T`` back and the next root ``root chol(Z)``. (The order ``A <- Z^(-1/2) A``
with rows ``x A`` in the published code is right only where A and Z commute, as they do for isotropic data.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe_plugins.shared.truncation import chi_quantile, response, undo_scale

Floats: TypeAlias = NDArray[np.float64]

QUANTILES = (0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 0.9999)
"""Parts of N(0, I) that a clip ball may hold."""
TIGHT = (0.3, 0.45)
"""And those for a mean alone: in many columns a tighter ball costs next to no sampling error, and has less noise."""
MOST = 1e4
"""Largest variance a pass may find in its own coordinates."""
REACH = 16.0
"""Rows farther than this many radii of the first ball saturate along their ray."""
SMALLEST = 2.0**-400
"""Least standard deviation, in the units of the table: squares stay far from underflow."""
NARROWEST, LEAST = 1e-6, 1e-12
"""Least ratio of variances that one pass may find, and that a result may have in correlations."""
FARTHEST = 0.9
"""Part of a direction's second moment that an offset of the mean may explain."""
SPREAD = 3.0
"""Passes count in the average where their whitening was within this factor of the last one, in variance."""


# ---------------------------------------------------------------------------------- clip radii


def anchor_ratio(clip: float) -> float:
    """The constant coordinate over the clip radius: least sum of the relative noise of means and covariances.

    With ``t`` the ratio the noise of a covariance goes with ``(1 + t^2) c^2`` and that of a mean with ``(1 + t^2) c
    / t``, each relative to its sampling error; ``(1 + t^2)^2 (c^2 + 1 / t^2)`` is least at the root taken here.

    Examples
    --------
    >>> round(anchor_ratio(4.0), 3)
    0.402
    """
    square = clip * clip
    return math.sqrt((math.sqrt(1.0 + 8.0 * square) - 1.0) / (4.0 * square))


def mean_clip(d: int, rows: float, noise: float) -> float:
    """Clip radius with the least predicted error of a mean of N(0, I), its clipping undone.

    Parameters
    ----------
    d : int
    rows : float
    noise : float
        Noise of a coordinate of the sum over the clip radius.
    """

    def error(clip: float) -> float:
        factors = response(d, clip)
        return (factors.second / rows + (noise * clip / rows) ** 2) / factors.mean**2

    return min((chi_quantile(d, q) for q in (*TIGHT, *QUANTILES)), key=error)


def moments_clip(d: int, rows: float, noise: float, *, anchored: bool) -> float:
    """Clip radius with the least predicted error of a covariance of N(0, I), its clipping undone.

    Parameters
    ----------
    d : int
    rows : float
    noise : float
        Noise of a diagonal entry of the released matrix, rows scaled to the unit ball.
    anchored : bool
        Whether the rows carry the constant coordinate.
    """
    from scipy.special import gammainc, gammaincc

    def error(clip: float) -> float:
        unit = clip**2 * (1.0 + anchor_ratio(clip) ** 2 if anchored else 1.0)
        half = 0.5 * clip * clip
        fourth = d * (d + 2.0) * float(gammainc(0.5 * d + 2.0, half)) + clip**4 * float(gammaincc(0.5 * d, half))
        factors = response(d, clip)
        entry = fourth / (d * (d + 2.0)) / rows + 0.5 * (noise * unit / rows) ** 2
        trace = (fourth / d - d * factors.second**2) / rows + (noise * unit / rows) ** 2
        slope = float(gammainc(0.5 * d + 1.0, half))
        return d * (d + 1.0) * (d > 1) * entry / factors.shape**2 + trace / slope**2

    return min((chi_quantile(d, q) for q in QUANTILES), key=error)


def predicted_mean(d: int, rows: float, noise: Sequence[float]) -> float:
    """Root mean square ℓ2 error of the mean of N(0, I): what sampling leaves, and the noise of all passes averaged.

    Parameters
    ----------
    d : int
    rows : float
    noise : sequence of float
        Of a diagonal entry of each pass's released matrix, rows in the unit ball.
    """
    precision, sampling = 0.0, 0.0
    for sigma in noise:
        clip = moments_clip(d, rows, sigma, anchored=True)
        ratio, factors = anchor_ratio(clip), response(d, clip)
        std = sigma * clip * (1.0 + ratio**2) / math.sqrt(2.0) / ratio / rows / factors.mean
        sampling = factors.second / rows / factors.mean**2
        precision += 1.0 / std**2
    return math.sqrt(d * (sampling + 1.0 / precision))


def predicted_covariance(d: int, rows: float, noise: Sequence[float]) -> float:
    """Deviation of the noise in a diagonal entry of the covariance of N(0, I), of all passes averaged; as above."""
    precision = 0.0
    for sigma in noise:
        clip = moments_clip(d, rows, sigma, anchored=True)
        unit = clip**2 * (1.0 + anchor_ratio(clip) ** 2)
        precision += (rows * response(d, clip).shape / (sigma * unit)) ** 2
    return 1.0 / math.sqrt(precision)


# ----------------------------------------------------------------------------------- estimates


@attrs.frozen(eq=False)
class Seen:
    """What one pass says, unbiased, in the coordinates it was taken in.

    Parameters
    ----------
    center : array of shape (d,)
    root : array of shape (d, d)
        Lower triangular; rows were seen as ``root^-1 (x - center)``.
    mean : array of shape (d,)
    covariance : array of shape (d, d)
        Symmetric, and no more than that: noise may make it indefinite.
    mean_noise, noise : float
        Noise of a coordinate of the mean, and of a diagonal entry of the covariance.
    """

    center: Floats
    root: Floats
    mean: Floats
    covariance: Floats
    mean_noise: float
    noise: float


@attrs.frozen(eq=False)
class Estimate:
    """A current Gaussian, in the units of the table, and the passes so far.

    Parameters
    ----------
    mean : array of shape (d,)
    root : array of shape (d, d)
        Lower triangular ``L``; the covariance is at most about ``L L^T``.
    rows : float or None
        Noisy number of rows, once known.
    reach : float
        Rows farther than this from the mean saturate along their ray.
    clip : float or None
        Radius the next pass must clip to, where the root was made for one.
    noise : float or None
        Noise of the last pass (`moments_clip`), and ``share`` of the budget it had.
    seen : tuple of Seen
    """

    mean: Floats
    root: Floats
    reach: float
    rows: float | None = None
    clip: float | None = None
    noise: float | None = None
    share: float = 1.0
    seen: tuple[Seen, ...] = ()


def start(center: Floats, radius: float) -> Estimate:
    """From a ball that holds nearly all rows."""
    d = center.size
    clip = chi_quantile(d, 0.9)
    return Estimate(center, np.eye(d) * (radius / clip), REACH * radius, clip=clip)


def clip_of(estimate: Estimate, share: float, *, anchored: bool) -> tuple[float, float]:
    """Clip radius and anchor of the next pass, which has ``share`` of the budget."""
    d = estimate.mean.size
    clip = estimate.clip or 0.0
    if not clip:
        clip = chi_quantile(d, 0.9)
        if estimate.noise is not None and estimate.rows is not None:
            noise = estimate.noise * math.sqrt(estimate.share / share)
            clip = moments_clip(d, estimate.rows, noise, anchored=anchored)
    return clip, anchor_ratio(clip) * clip if anchored else 0.0


def unclipped(
    rows: float, total: Floats, gram: Floats, *, clip: float, total_noise: float, gram_noise: float
) -> tuple[Floats, Floats, float, float]:
    """Mean, covariance and their noise from noisy clipped moments, the clip undone.

    Exactly for the isotropic part, to first order for mean and shape, and never below what is seen: clipping only
    shrinks, so that the true second moment is no less than the clipped one. A mean more than three standard
    deviations off is taken out of it in part only: it is not known well enough from there.
    """
    d = total.size
    second = gram / rows
    level = float(np.trace(second)) / d
    scale = min(undo_scale(d, clip, level), MOST)
    factors = response(d, clip / math.sqrt(scale))
    mean = total / (rows * factors.mean)
    mean_noise = total_noise / (rows * factors.mean)
    length = float(np.linalg.norm(mean))
    if length > clip:
        mean = mean * (clip / length)
    values, vectors = np.linalg.eigh(second)
    values = np.maximum(scale + (values - level) / factors.shape, values)
    noise = gram_noise / (rows * factors.shape)
    far = float(((vectors.T @ mean) ** 2 / np.maximum(values, noise * math.sqrt(d) + 1e-12 * scale)).sum())
    known = min(1.0, FARTHEST / far) if far > 0.0 else 1.0
    covariance = (vectors * values) @ vectors.T - known * np.outer(mean, mean)
    return mean, covariance + min(mean_noise**2, scale) * np.eye(d), mean_noise, noise


def bounded(covariance: Floats, noise: float) -> Floats:
    """An estimate to whiten by: what noise alone could be is pulled in, then lifted to the noise's norm.

    The shape is shrunk by its noise's known energy (James-Stein), and eigenvalues below the spectral norm of the
    noise, ``noise sqrt(2 d)``, are set to it: an upper bound where nothing better is known. That norm counts as at
    most 1, the bound that held before.
    """
    d = covariance.shape[0]
    scale = max(float(np.trace(covariance)) / d, min(noise, 1.0) / math.sqrt(d), 1e-12)
    shape = covariance - float(np.trace(covariance)) / d * np.eye(d)
    energy = float((shape**2).sum())
    expected = noise**2 * (0.5 * d * (d + 1.0) - 1.0)
    shape *= max(0.0, 1.0 - expected / energy) if energy > 0.0 else 0.0
    values, vectors = np.linalg.eigh(scale * np.eye(d) + shape)
    floor = max(min(noise * math.sqrt(2.0 * d), 1.0), NARROWEST * float(values[-1]), NARROWEST**2)
    result: Floats = (vectors * np.clip(values, floor, MOST)) @ vectors.T
    return result


def advance(estimate: Estimate, seen: Seen, rows: float, noise: float, share: float) -> Estimate:
    """The next estimate from one pass."""
    root = seen.root @ np.linalg.cholesky(bounded(seen.covariance, seen.noise))
    return attrs.evolve(
        estimate,
        mean=seen.center + seen.root @ seen.mean,
        root=root if np.diagonal(root).min() > SMALLEST else estimate.root,
        rows=rows,
        clip=None,
        noise=noise,
        share=share,
        seen=(*estimate.seen, seen),
    )


def combine(passes: Sequence[Seen], last: Floats) -> tuple[Floats, Floats]:
    """Mean (d,) and root (d, d) of the Gaussian, from all passes that were whitened about as well as the last.

    Each pass is unbiased and their noise is independent, so that a weighted average wastes none of them. Weights
    are the inverse variances of the noise, which grows as a pass's whitening was too wide.

    Parameters
    ----------
    passes : sequence of Seen
        Not empty.
    last : array of shape (d, d)
        Root of the last estimate: the coordinates they are compared in.
    """
    d = last.shape[0]
    bases, for_mean, for_shape = _weights(passes, last)
    means = [
        np.linalg.solve(last, p.center - passes[-1].center) + b @ p.mean for p, b in zip(passes, bases, strict=True)
    ]
    mean = np.average(means, axis=0, weights=for_mean)
    covariances = [b @ p.covariance @ b.T for p, b in zip(passes, bases, strict=True)]
    covariance = np.average(covariances, axis=0, weights=for_shape)
    noise = 1.0 / math.sqrt(sum(for_shape))
    values, vectors = np.linalg.eigh(0.5 * (covariance + covariance.T))
    values = np.maximum(values, min(max(0.25 * noise * math.sqrt(2.0 * d), 1e-9), 1.0))
    root = last @ (vectors * np.sqrt(values))
    return passes[-1].center + last @ mean, root


def _weights(passes: Sequence[Seen], last: Floats) -> tuple[list[Floats], list[float], list[float]]:
    """Each pass's root in the coordinates of the last estimate, and its inverse variances for mean and covariance.

    0 for a pass that was not whitened about as well as the last.
    """
    bases: list[Floats] = [np.asarray(np.linalg.solve(last, p.root), dtype=np.float64) for p in passes]
    widths = [np.linalg.eigvalsh(b @ b.T) for b in bases]
    good = [i for i, w in enumerate(widths) if w[0] * SPREAD >= 1.0 and w[-1] <= SPREAD] or [len(passes) - 1]
    for_mean, for_shape = [0.0] * len(passes), [0.0] * len(passes)
    for i in good:
        size = float(widths[i].mean())
        for_mean[i] = 1.0 / (size * passes[i].mean_noise ** 2 + 1e-300)
        for_shape[i] = 1.0 / ((size * passes[i].noise) ** 2 + 1e-300)
    return bases, for_mean, for_shape


@attrs.frozen
class Errors:
    """Predicted errors of a combined Gaussian in its own Mahalanobis metric.

    Parameters
    ----------
    mean, covariance : float
        Noise: expected length of the mean's, spectral norm of the covariance's.
    sampling_mean, sampling_covariance : float
        What the rows themselves leave open, were they Gaussian.
    """

    mean: float
    covariance: float
    sampling_mean: float
    sampling_covariance: float


def errors_of(estimate: Estimate, covariance: Floats) -> Errors:
    """Errors to expect of what :func:`combine` made of an estimate's passes, from their noise and number of rows."""
    _, for_mean, for_shape = _weights(estimate.seen, estimate.root)
    seen = whitened(estimate.root, covariance)
    values = np.maximum(np.linalg.eigvalsh(0.5 * (seen + seen.T)), 1e-300)
    d, rows = values.size, max(estimate.rows or 1.0, 1.0)
    part = math.sqrt(d / rows)
    return Errors(
        mean=math.sqrt(float((1.0 / values).sum()) / sum(for_mean)),
        covariance=math.sqrt(2.0 * d / sum(for_shape)) / float(values[0]),
        sampling_mean=part,
        sampling_covariance=2.0 * part + part * part,
    )


def whitened(root: Floats, covariance: Floats) -> Floats:
    """The covariance of N(0, covariance) as seen through a whitening by this root."""
    return np.asarray(np.linalg.solve(root, np.linalg.solve(root, covariance).T), dtype=np.float64)


def level(root: Floats, covariance: Floats) -> float:
    """Mean variance of a whitened covariance."""
    return max(float(np.trace(whitened(root, covariance))) / len(root), LEAST)


def covariance_of(root: Floats) -> Floats:
    """The covariance of a root, positive definite in float64: correlations have no eigenvalue below `LEAST`."""
    d = root.shape[0]
    scale = np.linalg.norm(root, axis=1)
    vectors, values, _ = np.linalg.svd(root / scale[:, None])
    inner = (vectors * np.maximum(values**2, LEAST)) @ vectors.T
    covariance = scale[:, None] * (0.5 * (inner + inner.T)) * scale
    return np.asarray(np.tril(covariance) + np.tril(covariance, -1).T, dtype=np.float64).reshape(d, d)
