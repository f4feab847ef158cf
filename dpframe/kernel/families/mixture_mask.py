"""``mixture_mask``: weights, means and covariances with noise in their own shape, in random order (Arbas23)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.noise.sources import Source
from dpframe.kernel.operations import Exact, Mechanism, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.masks import SLACK
from dpframe.proof.spaces import Domain, Mixture, MixtureValue, Within, finite_number
from dpframe.proof.theorems import Metrics, find

COARSE, FINE = 60, 964
"""Bits behind the point of a Gaussian: of the exact rounded one, and below."""
BITS = COARSE + FINE
LEAST, MOST = 2.0**-50, 2.0**150
PARTS = ("weight", "mean", "covariance")


def _three(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is None:
        return
    numbers = isinstance(value, tuple) and all(finite_number(v) and v > 0 for v in value)
    if not numbers or len(value) != len(PARTS):
        raise PlanError(f"spread must be three positive numbers, not {value!r}", fix="use spread=(1.0, 1.0, 1.0)")


@register("mixture_mask")
@attrs.frozen
class MixtureMask(Mechanism):
    """Release w + ηg, μ + ηΣ^{1/2}g and Σ^{1/2}(I + ηG)(I + ηG)ᵀΣ^{1/2} of each component, in random order.

    The noise lives in the component's own shape, so no bound on the parameters is needed. Afterwards weights are
    projected to the simplex and covariances divided by 1 + dη².

    Parameters
    ----------
    share, noise_multiplier : float
        See :class:`~dpframe.kernel.operations.Mechanism`.
    spread : tuple of float, optional
        How ρ is shared by weight, mean and covariance. Without it mean and covariance err alike.

    Formal guarantees
    -----------------
    Adjacency: through the input's distance ``Within("component", γ)``. The lift of T3's mask: k times its Rényi
    cost, and δ = 2^−100 for rounding (``mixture_mask``, ``docs/theory/masks.md``). Even unbounded noise costs about
    k(1 + d)γ²/4 zCDP, because the *shape* of the noise is private too.

    References
    ----------
    Arbas (2023), §6; Arbas, Ashtiani, Liaw (2023).

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> mask, domain = MixtureMask(share=1.0), Mixture(k=1, d=1)
    >>> noise = mask.calibrate(0.5, 0.0, (Within("component", 1e-3),), domain)
    >>> private = Exact((np.ones(1), np.array([[1e6]]), np.array([[[1e3]]])))  # N(1e6, 1e3²): no bound is needed
    >>> released = mask.release(private, noise, domain, SeededSource(1))
    >>> released.means.round(0).tolist()  # noise of the component's own size
    [[1000002.0]]
    """

    spread: tuple[float, ...] | None = attrs.field(default=None, kw_only=True, validator=_three)

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """Noises whose first-order zCDP is ρ, shared by the parts as ``spread`` says."""
        mixture, gamma = wants(domain, Mixture, "mixture_mask"), find(worst, Within).r
        parts = dict(zip(PARTS, self.spread or (1.0, 1.0, mixture.d / 2), strict=True))
        if mixture.k == 1:
            parts["weight"] = 0.0
        each = rho / mixture.k / sum(parts.values())
        factor = {"weight": 0.5, "mean": 0.5, "covariance": 0.125}

        def eta(part: str) -> float:
            spread = parts[part] or 1.0
            return min(max(gamma * math.sqrt(factor[part] / (each * spread)), LEAST), MOST)

        return {**{f"eta_{part}": eta(part) for part in parts}, "delta": SLACK}

    def noise_std(self, calibration: Mapping[str, Any]) -> float:
        """η of the means: relative to the component's own scale."""
        return float(calibration.get("eta_mean", 0.0))

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Mask the components in a random order; ``exact`` holds weights, means and roots of covariances."""
        etas = {part: Fraction(float(calibration[f"eta_{part}"])) for part in PARTS}
        weights, means, roots = exact.integers
        components = list(zip(weights, means, roots, strict=True))
        masked = in_random_order(components, lambda part: _component(part[0], part[1], part[2], etas, source), source)
        return finished(
            np.array([m[0] for m in masked]),
            np.array([m[1] for m in masked]),
            np.array([m[2] for m in masked]),
            float(etas["covariance"]),
        )


def in_random_order(components: Any, mask: Callable[[Any], Any], source: Source) -> list[Any]:
    """The lift: each component masked, in a uniformly random order."""
    from dpframe.kernel.noise import permutation

    return [mask(components[j]) for j in permutation(source, len(components)).tolist()]


def fine_gaussians(source: Source, count: int) -> list[int]:
    """Standard Gaussians times 2^1024, exact to the last digit but one.

    The exact rounded Gaussian names a cell of width 2^−60; a uniform point of 2^964 in the cell is accepted with
    probability e^{−(x² − m²)/2}, m being the smallest |x| there.
    """
    from dpframe.kernel.noise import bernoulli_exp, rounded_gaussian, uniform_below

    cells = [int(z) for z in rounded_gaussian(source, 2.0**COARSE, count)]
    points, waiting = [0] * count, list(range(count))
    while waiting:
        drawn = [int(u) for u in uniform_below(source, 1 << FINE, len(waiting))]
        proposed = [(cells[i] << FINE) + u - (1 << (FINE - 1)) for i, u in zip(waiting, drawn, strict=True)]
        rest = [_above_least(cells[i], x) for i, x in zip(waiting, proposed, strict=True)]
        taken = bernoulli_exp(source, np.array(rest, dtype=object))
        for i, x, kept in zip(waiting, proposed, taken.tolist(), strict=True):
            if kept:
                points[i] = x
        waiting = [i for i, kept in zip(waiting, taken.tolist(), strict=True) if not kept]
    return points


def _above_least(cell: int, x: int) -> Fraction:
    half = 1 << (FINE - 1)
    low, high = (cell << FINE) - half, (cell << FINE) + half
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return Fraction(max(x * x - least * least, 0), 1 << (2 * BITS + 1))


def _component(weight: Any, mean: Any, root: Any, etas: Mapping[str, Fraction], source: Source) -> tuple[Any, Any, Any]:
    """One component in rational numbers, each rounded to float64 once."""
    d = len(mean)
    noise = [Fraction(x, 1 << BITS) for x in fine_gaussians(source, 1 + d + d * d)]
    lower = [[Fraction(float(x)) for x in row[: i + 1]] for i, row in enumerate(root)]
    masked_weight = Fraction(float(weight)) + etas["weight"] * noise[0]
    shift = [sum(x * g for x, g in zip(row, noise[1:], strict=False)) for row in lower]
    masked_mean = [Fraction(float(m)) + etas["mean"] * s for m, s in zip(mean, shift, strict=True)]
    eta, rest = etas["covariance"], noise[1 + d :]
    spread = [[eta * rest[i * d + j] + (i == j) for j in range(d)] for i in range(d)]
    rows = [[sum(x * spread[i][j] for i, x in enumerate(row)) for j in range(d)] for row in lower]
    covariance = [[_float(sum(x * y for x, y in zip(a, b, strict=True))) for b in rows] for a in rows]
    return _float(masked_weight), [_float(m) for m in masked_mean], covariance


def _float(value: Any) -> float:
    """The nearest float64; what is beyond saturates."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(2.0**1000, value)


def finished(weights: Any, means: Any, covariances: Any, eta: float) -> MixtureValue:
    """Post-processing: weights to the simplex, covariances without the noise's own size and positive definite."""
    k, d = means.shape
    one = np.ones(1) if k == 1 else simplex(np.asarray(weights))
    scaled = np.clip(np.asarray(covariances), -(2.0**900), 2.0**900) / (1 + d * eta**2)
    return MixtureValue(one, np.clip(means, -(2.0**900), 2.0**900), np.array([_definite(c) for c in scaled]))


def simplex(values: Any) -> Any:
    """The nearest point of the simplex.

    Examples
    --------
    >>> simplex(np.array([0.5, 0.7])).round(3).tolist()
    [0.4, 0.6]
    """
    clipped = np.clip(values, -4.0, 4.0)
    sorted_ = np.sort(clipped)[::-1]
    excess = (np.cumsum(sorted_) - 1) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(sorted_ > excess)[-1])
    kept = np.maximum(clipped - excess[last], 0.0)
    return kept / kept.sum()


def _definite(matrix: Any) -> Any:
    """The matrix, its correlations lifted to a smallest eigenvalue of 1e-10 where they are below."""
    scale = np.sqrt(np.maximum(np.diagonal(matrix), 2.0**-900))
    values, vectors = np.linalg.eigh((matrix / scale[:, None]) / scale)
    if values[0] > 1e-10:
        return matrix
    lifted = (vectors * np.maximum(values, 1e-9)) @ vectors.T
    lifted = (lifted + lifted.T) / 2
    return lifted * scale[:, None] * scale
