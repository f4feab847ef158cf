"""``discrete_gaussian``: the discrete Gaussian on request, charged in zCDP."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.registry import register


@register("discrete_gaussian")
@attrs.frozen
class DiscreteGaussianMechanism(GaussianMechanism):
    """``value + Z``, P(Z = z) ∝ exp(−z²/2σ²) on the lattice.

    Formal guarantees
    -----------------
    Adjacency: through the input's ℓ₂ bound Δ. Loss: Δ²/2σ² zCDP (``discrete_gaussian_mechanism``); it is not
    charged as GDP, which it meets only up to a slack. The rounded ``gaussian`` is the better default.

    References
    ----------
    Canonne, Kamath, Steinke (2020).

    Examples
    --------
    >>> from dpframe.proof.spaces import L2, Counts
    >>> mechanism = DiscreteGaussianMechanism(noise_multiplier=2.0)
    >>> round(mechanism.loss({"sigma": 2.0}, (L2(1.0),), Counts(3)).rho, 9)  # Δ²/2σ², and no μ of GDP
    0.125
    """

    def draw(self, source: Any, scale: float, size: int) -> Any:
        """Discrete Gaussians."""
        from dpframe.kernel.noise import discrete_gaussian

        return discrete_gaussian(source, scale, size)
