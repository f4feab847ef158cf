"""``laplace``: exact discrete Laplace noise on a lattice statistic."""

from __future__ import annotations

import math
from typing import Any

import attrs

from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.registry import register
from dpframe.proof.spaces import L1, Domain
from dpframe.proof.theorems import Metrics, find


@register("laplace")
@attrs.frozen
class LaplaceMechanism(Additive):
    """``value + Z``, P(Z = z) ∝ exp(−|z|/b) on the statistic's lattice.

    Parameters
    ----------
    share, noise_multiplier : float
        A share of ρ buys ε = √(2ρ); the multiplier is b/Δ₁.

    Formal guarantees
    -----------------
    Adjacency: through the input's ℓ₁ bound Δ. Loss: (Δ/b)-DP (``laplace_mechanism``).

    References
    ----------
    Ghosh, Roughgarden, Sundararajan (2012).

    Examples
    --------
    >>> from dpframe.proof.spaces import Counts
    >>> LaplaceMechanism(share=1.0).calibrate(0.5, 0.0, (L1(1.0),), Counts(3))  # a ρ of 0.5 buys ε = 1
    {'scale': 1.0}
    """

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """B = Δ/√(2ρ), in units of the statistic."""
        return {"scale": find(worst, L1).bound / math.sqrt(2 * rho)}

    def draw(self, source: Any, scale: float, size: int) -> Any:
        """Discrete Laplace noise."""
        from dpframe.kernel.noise import discrete_laplace

        return discrete_laplace(source, scale, size)
