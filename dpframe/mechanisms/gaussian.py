"""``gaussian``: exact rounded Gaussian noise on a lattice statistic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.operations import Exact, Mechanism
from dpframe.registry import register
from dpframe.spaces import L2, Domain, Symmetric
from dpframe.theorems import Metrics, find


def to_floats(integers: Any, step: Fraction) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Noisy lattice integers in units; released by then, so rounding to float64 is free."""
    array = np.asarray(integers)
    if array.dtype == object:
        return np.array([float(Fraction(int(v)) * step) for v in array.ravel()]).reshape(array.shape)
    return array.astype(np.float64) * float(step)


def off_diagonal(shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Mask of the strict upper triangle in the last two axes."""
    return np.broadcast_to(np.triu(np.ones(shape[-2:], dtype=np.bool_), 1), shape)


def add_symmetric(integers: Any, sigma: float, draw: Any) -> Any:
    """Noise in isometric coordinates: σ on the diagonal, σ/√2 off it, the lower triangle a copy of the upper."""
    exact = np.asarray(integers)
    upper = off_diagonal(exact.shape)
    diagonal = np.broadcast_to(np.eye(exact.shape[-1], dtype=np.bool_), exact.shape)
    noisy = exact.astype(object) if exact.dtype == object else exact.copy()
    noisy = _put(noisy, diagonal, draw(sigma, int(diagonal.sum())))
    noisy = _put(noisy, upper, draw(sigma * math.sqrt(0.5) * (1 + 2.0**-50), int(upper.sum())))
    mirrored = np.where(upper, noisy, 0)
    return np.where(diagonal, noisy, 0) + mirrored + np.swapaxes(mirrored, -1, -2)


def _put(values: Any, mask: Any, noise: Any) -> Any:
    out = values.astype(object) if np.asarray(noise).dtype == object else values
    out[mask] = out[mask] + noise
    return out


@register("gaussian")
@attrs.frozen
class GaussianMechanism(Mechanism):
    """``value + round(σN)`` on the statistic's own lattice; a symmetric matrix in isometric coordinates.

    Sampled exactly (:mod:`dpframe.noise`), so the release is post-processing of the real-number Gaussian
    mechanism on lattice values.

    Parameters
    ----------
    share, noise_multiplier : float
        See :class:`~dpframe.operations.Mechanism`; the multiplier is σ/Δ₂.

    Formal guarantees
    -----------------
    Adjacency: through the input's ℓ₂ bound Δ. Loss: (Δ/σ)-GDP (``gaussian_mechanism``). For a symmetric
    matrix the isometric coordinates (diagonal, √2·off-diagonal) have the Frobenius norm as their Euclidean
    norm, and σ/√2 per off-diagonal entry is σ in those coordinates.

    References
    ----------
    Dong, Roth, Su (2019); docs/theory/notation.md.
    """

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """σ = Δ/√(2ρ), in units of the statistic."""
        return {"sigma": find(worst, L2).bound / math.sqrt(2 * rho)}

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Add the noise and return floats."""
        from dpframe.noise import rounded_gaussian

        sigma = lattice_scale(calibration["sigma"], exact.step)

        def draw(scale: float, size: int) -> Any:
            return rounded_gaussian(source, scale, size)

        integers = np.asarray(exact.integers)
        if isinstance(domain, Symmetric):
            return to_floats(add_symmetric(integers, sigma, draw), exact.step)
        noise = draw(sigma, integers.size).reshape(integers.shape)
        return to_floats(add(integers, noise), exact.step)

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """All noise in one draw."""
        if isinstance(domain, Symmetric):
            return super().release_many(exact, calibration, domain, source, times)
        integers = np.asarray(exact.integers)
        copies = Exact(np.broadcast_to(integers, (times, *integers.shape)), exact.step)
        return list(self.release(copies, calibration, domain, source))


def add(integers: Any, noise: Any) -> Any:
    """Integer sum, in Python integers where either side needs them."""
    wide = np.asarray(noise).dtype == object or np.asarray(integers).dtype == object
    return np.asarray(integers).astype(object) + noise if wide else integers + noise


def lattice_scale(scale: float, step: Fraction) -> float:
    """A noise scale in lattice steps, never below the declared one."""
    exact = Fraction(scale) / step
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)
