r"""Worst neighbours of ``mixture_mask``, its releases in bulk, and the exact likelihood ratio of a release.

A component with root R, :math:`RR^\top=\Sigma`, is released as w + ηg, μ + ηRg and :math:`S=BB^\top`, B = R(I + ηG).
Its neighbour is moved as far as the claimed γ allows in mean, in covariance along one eigen direction, and in weight.

The law of S has a closed density. B has density :math:`\propto|\Sigma|^{-d/2}e^{-\|R^{-1}B-I\|^2/2\eta^2}`, and S keeps
all of B but a rotation on the right, so with :math:`M=R^{-1}S^{1/2}`

.. math:: \ln p(S) = c(S) - \tfrac d2\ln|\Sigma| - \tfrac{1}{2\eta^2}\operatorname{tr}\Sigma^{-1}S
    + \ln\int_{O(d)} e^{\operatorname{tr}(MQ)/\eta^2}\,dQ.

With singular values s of M the integral is cosh(s/η²) for d = 1 and the mean of I₀((s₁ + s₂)/η²) and
I₀((s₁ − s₂)/η²) for d = 2. The means of a case are far apart, so that the random order is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import PlanError
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.spaces import Domain, Mixture, MixtureValue, Within

Floats = npt.NDArray[np.float64]
GAMMA = 2.0**-8
"""The audited radius: of the size that averaged estimates have (T8)."""
APART = 2.0**20
WIDE = 64.0
"""A noise that hides a part: what is left of the claim is the other parts'."""
WIDE_RADIUS = "all moved, radius 0.05"
"""Here only orders up to 20 are known, and their conversion loses more of the claim."""
CHUNK = 2**17
PARTS = ("weight", "mean", "covariance")


@attrs.frozen(eq=False)
class Pair:
    """Two mixtures at distance γ, as the executor holds them: weights (k,), means (k, d), roots (k, d, d)."""

    first: Exact
    second: Exact
    k: int
    d: int


def pair(k: int, d: int, moved: tuple[str, ...] = PARTS, gamma: float = GAMMA) -> Pair:
    """Two mixtures, each component moved by γ in the named parts.

    Parameters
    ----------
    k, d : int
        k is 1 or even where weights move: their sum stays 1.
    moved : tuple of str
        Of ``weight``, ``mean``, ``covariance``.
    """
    r = gamma * (1 - 1e-9)
    weights = np.full(k, 1.0 / k)
    means = np.zeros((k, d))
    means[:, 0] = APART * np.arange(k)
    roots = np.array([_root(d, j) for j in range(k)])
    axis = np.full(d, d**-0.5)
    signs = np.where(np.arange(k) % 2, -1.0, 1.0) * (k > 1)
    other_means, other_roots = means.copy(), roots.copy()
    for j in range(k):
        if "mean" in moved:
            other_means[j] += r * roots[j] @ axis
        if "covariance" in moved:
            shape = np.eye(d) + r * np.outer(axis, axis)
            other_roots[j] = np.linalg.cholesky(roots[j] @ shape @ roots[j].T)
    other_weights = weights + r * signs * ("weight" in moved)
    return Pair(Exact((weights, means, roots)), Exact((other_weights, other_means, other_roots)), k, d)


def _root(d: int, j: int) -> Floats:
    lower: Floats = np.eye(d) * (1.0 + j) + np.tril(np.full((d, d), 0.5), -1)
    return lower


def audited(pairs: Pair) -> Callable[..., Floats]:
    """A sampler of releases as their log-likelihood ratio between the two of the pair, one column."""

    def sample(
        mechanism: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> Floats:
        score = ratio(pairs, calibration)
        if not _ours(mechanism):  # a twin with a release of its own: as it releases
            found = mechanism.release_many(exact, calibration, domain, source, times)
            stacked = [np.array([getattr(f, part) for f in found]) for part in ("weights", "means", "covariances")]
            return score(*stacked)[:, None]
        rng = np.random.default_rng(source.words(4).tolist())
        scores = np.empty(times)
        for start in range(0, times, CHUNK):
            size = min(CHUNK, times - start)
            scores[start : start + size] = score(*masked(exact, calibration, *draws(rng, size, pairs)))
        return scores[:, None]

    return sample


def _ours(mechanism: Mechanism) -> bool:
    cls = type(mechanism)
    return cls.release is MixtureMask.release and cls.release_many is Mechanism.release_many


def draws(rng: np.random.Generator, size: int, pairs: Pair) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Standard Gaussians (size, k, 1 + d + d²) and a random order (size, k)."""
    return _drawn(rng, size, pairs.k, pairs.d)


def _drawn(rng: np.random.Generator, size: int, k: int, d: int) -> tuple[Floats, npt.NDArray[np.intp]]:
    order = np.argsort(rng.random((size, k)), axis=1) if k > 1 else np.zeros((size, 1), dtype=np.intp)
    return rng.standard_normal((size, k, 1 + d + d * d)), order


def masked(
    exact: Exact, calibration: Mapping[str, Any], noise: Floats, order: npt.NDArray[np.intp]
) -> tuple[Floats, Floats, Floats]:
    """``mixture_mask`` of the given Gaussians in float64, finished as it finishes; d is 1 or 2.

    Parameters
    ----------
    noise : (m, k, 1 + d + d²) float64
        Of each component, in the exact value's order.
    order : (m, k) int

    Returns
    -------
    weights (m, k), means (m, k, d), covariances (m, k, d, d)
    """
    weights, means, roots = (np.asarray(part, dtype=np.float64) for part in exact.integers)
    d = means.shape[1]
    if d > 2:
        raise PlanError("masks are audited in one and two dimensions", fix="use d = 2")
    eta = {part: float(calibration[f"eta_{part}"]) for part in PARTS}
    heavy = weights + eta["weight"] * noise[..., 0]
    places, shapes = np.empty((*noise.shape[:2], d)), np.empty((*noise.shape[:2], d, d))
    for j, root in enumerate(roots):
        places[:, j] = means[j] + eta["mean"] * noise[:, j, 1 : 1 + d] @ root.T
        spread = eta["covariance"] * noise[:, j, 1 + d :].reshape(-1, d, d) + np.eye(d)
        rows = np.tensordot(spread, root, (1, 1))  # (m, columns, rows)
        for a, b in np.ndindex(d, d):
            shapes[:, j, a, b] = (rows[:, :, a] * rows[:, :, b]).sum(axis=1) / (1 + d * eta["covariance"] ** 2)
    at = order[:, :, None]
    places, shapes = np.take_along_axis(places, at, 1), np.take_along_axis(shapes, at[..., None], 1)
    return _simplex(np.take_along_axis(heavy, order, 1)), places, _definite(shapes)


def _simplex(values: Floats) -> Floats:
    """Each row to the nearest point of the simplex."""
    if values.shape[1] == 1:
        return np.ones_like(values)
    clipped = np.clip(values, -4.0, 4.0)
    falling = -np.sort(-clipped, axis=1)
    excess = (np.cumsum(falling, axis=1) - 1) / np.arange(1, values.shape[1] + 1)
    last = (falling > excess).sum(axis=1) - 1
    kept = np.maximum(clipped - np.take_along_axis(excess, last[:, None], 1), 0.0)
    result: Floats = kept / kept.sum(axis=1, keepdims=True)
    return result


def _definite(shapes: Floats) -> Floats:
    """Lift the few matrices (of two rows) whose correlations are nearly singular, as the mechanism does."""
    from dpframe.kernel.families.mixture_mask import _definite as lifted

    if shapes.shape[-1] == 1:
        return np.maximum(shapes, 0.0)
    least = 1 - np.abs(shapes[..., 0, 1]) / np.sqrt(shapes[..., 0, 0] * shapes[..., 1, 1])
    for at in zip(*np.nonzero(~(least > 2e-10)), strict=True):
        shapes[at] = lifted(shapes[at])
    return shapes


def bulk_masks(exact: Exact, calibration: Mapping[str, Any], source: Any, times: int) -> list[MixtureValue]:
    """Independent releases of a mixture in one or two dimensions."""
    rng = np.random.default_rng(source.words(4).tolist())
    k, d = np.shape(exact.integers[1])
    return [MixtureValue(*parts) for parts in zip(*masked(exact, calibration, *_drawn(rng, times, k, d)), strict=True)]


def ratio(pairs: Pair, calibration: Mapping[str, Any]) -> Callable[[Floats, Floats, Floats], Floats]:
    """Log-likelihood of releases under the first of the pair, less that under the second."""

    def score(weights: Floats, means: Floats, covariances: Floats) -> Floats:
        order = np.argsort(means[..., 0], axis=1)
        weights = np.take_along_axis(weights, order, 1)
        means = np.take_along_axis(means, order[:, :, None], 1)
        covariances = np.take_along_axis(covariances, order[:, :, None, None], 1)
        eta = {part: float(calibration[f"eta_{part}"]) for part in PARTS}
        one, two = (_log(exact, eta, weights, means, covariances) for exact in (pairs.first, pairs.second))
        result: Floats = one - two
        return result

    return score


def _log(exact: Exact, eta: Mapping[str, float], weights: Floats, means: Floats, covariances: Floats) -> Floats:
    """Log-density of a finished release in the components' own order, up to what both sides share."""
    base, centres, roots = (np.asarray(part, dtype=np.float64) for part in exact.integers)
    d = centres.shape[1]
    total = np.zeros(len(means))
    if len(base) > 1:  # only differences of weights survive the simplex
        off = weights - base
        off = off - off.mean(axis=1, keepdims=True)
        total -= (off**2).sum(axis=1) / (2 * eta["weight"] ** 2)
    for j, root in enumerate(roots):
        inverse = np.linalg.inv(root)
        white = (means[:, j] - centres[j]) @ inverse.T
        logdet = 2 * float(np.log(np.abs(np.diagonal(root))).sum())
        total -= (white**2).sum(axis=1) / (2 * eta["mean"] ** 2) + (d + 1) / 2 * logdet
        shape = covariances[:, j] * (1 + d * eta["covariance"] ** 2)
        trace = shape.reshape(-1, d * d) @ (inverse.T @ inverse).ravel()
        total += _log_shape(trace, _determinant(shape) * np.exp(-logdet), d, eta["covariance"])
    return total


def _determinant(shape: Floats) -> Floats:
    if shape.shape[-1] == 1:
        return shape[:, 0, 0]
    result: Floats = shape[:, 0, 0] * shape[:, 1, 1] - shape[:, 0, 1] * shape[:, 1, 0]
    return result


def _log_shape(trace: Floats, determinant: Floats, d: int, eta: float) -> Floats:
    """−tr/2η² + ln of the mean over rotations, for Σ⁻¹S of this trace and determinant."""
    square = eta**-2
    root = np.sqrt(np.maximum(determinant, 0.0))
    if d == 1:
        result: Floats = -square * trace / 2 + square * root + np.log1p(np.exp(-2 * square * root))
        return result
    from scipy.special import i0e

    high, low = np.sqrt(trace + 2 * root), np.sqrt(np.maximum(trace - 2 * root, 0.0))
    mixed = i0e(square * high) + np.exp(square * (low - high)) * i0e(square * low)
    both: Floats = -square * trace / 2 + square * high + np.log(mixed)
    return both


def hiding(*parts: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A change of the noise that drowns these parts."""
    return lambda calibration: {**calibration, **{f"eta_{part}": WIDE for part in parts}}


def table() -> tuple[tuple[str, Pair, Mixture, Within, Any], ...]:
    """The audited pairs: name, pair, domain, metric, change of the noise."""

    def row(name: str, k: int, d: int, moved: tuple[str, ...], adjust: Any, gamma: float = GAMMA) -> Any:
        return name, pair(k, d, moved, gamma), Mixture(k, d), Within("component", gamma), adjust

    return (
        row("all moved: 2 components, d=2", 2, 2, PARTS, None),
        row("all moved: 1 component, d=1", 1, 1, PARTS, None),
        row("mean", 1, 1, ("mean", "covariance"), hiding("covariance")),
        row("covariance, one direction", 1, 2, ("mean", "covariance"), hiding("mean")),
        row("weight", 2, 1, PARTS, hiding("mean", "covariance")),
        row(WIDE_RADIUS, 1, 1, PARTS, None, 0.05),
    )
