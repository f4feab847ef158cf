"""``gaussian``: exact rounded Gaussian noise on a lattice statistic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.operations import Exact
from dpframe.kernel.proposals import GaussianNoise
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Symmetric


def off_diagonal(shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Mask of the strict upper triangle in the last two axes."""
    return np.broadcast_to(np.triu(np.ones(shape[-2:], dtype=np.bool_), 1), shape)


def symmetric_noise(shape: tuple[int, ...], sigma: float, draw: Any) -> Any:
    """Noise in isometric coordinates: σ on the diagonal, σ/√2 off it, the lower triangle a copy of the upper."""
    upper = off_diagonal(shape)
    diagonal = np.broadcast_to(np.eye(shape[-1], dtype=np.bool_), shape)
    on = draw(sigma, int(diagonal.sum()))
    off = draw(sigma * math.sqrt(0.5) * (1 + 2.0**-50), int(upper.sum()))
    noise = np.zeros(shape, dtype=np.result_type(on, off))
    noise[diagonal], noise[upper] = on, off
    return mirrored(noise)


def mirrored(matrices: Any) -> Any:
    """Symmetric matrices from their upper triangles."""
    lower = np.swapaxes(off_diagonal(matrices.shape), -1, -2)
    return np.where(lower, np.swapaxes(matrices, -1, -2), matrices)


@register("gaussian")
@attrs.frozen
class GaussianMechanism(GaussianNoise, Additive):
    """``value + round(σN)`` on the statistic's own lattice; a symmetric matrix in isometric coordinates.

    Sampled exactly (:mod:`dpframe.kernel.noise`), so the release is post-processing of the real-number Gaussian
    mechanism on lattice values.

    Parameters
    ----------
    share, noise_multiplier : float
        See :class:`~dpframe.kernel.operations.Mechanism`; the multiplier is σ/Δ₂.

    Formal guarantees
    -----------------
    Adjacency: through the input's ℓ₂ bound Δ. Loss: (Δ/σ)-GDP (``gaussian_mechanism``). For a symmetric
    matrix the isometric coordinates (diagonal, √2·off-diagonal) have the Frobenius norm as their Euclidean
    norm, and σ/√2 per off-diagonal entry is σ in those coordinates.

    References
    ----------
    Dong, Roth, Su (2019); docs/theory/notation.md.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.kernel.operations import Exact
    >>> from dpframe.proof.spaces import L2, Counts
    >>> gaussian = GaussianMechanism(share=1.0)
    >>> noise = gaussian.calibrate(0.02, 0.0, (L2(1.0),), Counts(2))  # σ = Δ/√(2ρ)
    >>> noise
    {'sigma': 5.0}
    >>> gaussian.release(Exact(np.array([1000, 2000])), noise, Counts(2), SeededSource(1)).tolist()
    [1006.0, 2000.0]
    """

    scaled_by: ClassVar[str] = "sigma"

    def draw(self, source: Any, scale: float, size: int) -> Any:
        """Rounded Gaussians."""
        from dpframe.kernel.noise import rounded_gaussian

        return rounded_gaussian(source, scale, size)

    def noise(self, shape: tuple[int, ...], scale: float, domain: Domain, source: Any) -> Any:
        """Independent entries; a symmetric matrix for each copy of one."""
        if not isinstance(domain, Symmetric):
            return super().noise(shape, scale, domain, source)
        return symmetric_noise(shape, scale, lambda s, size: self.draw(source, s, size))

    def noisy(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """The sum, in whole lattice steps; of matrices the upper triangle decides."""
        total = super().noisy(exact, calibration, domain, source)
        return mirrored(total) if isinstance(domain, Symmetric) else total
