"""``laplace``: exact discrete Laplace noise on a lattice statistic."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.proposals import LaplaceNoise
from dpframe.kernel.registry import register


@register("laplace")
@attrs.frozen
class LaplaceMechanism(LaplaceNoise, Additive):
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
    >>> from dpframe.proof.spaces import L1, Counts
    >>> LaplaceMechanism(share=1.0).calibrate(0.5, 0.0, (L1(1.0),), Counts(3))  # a ρ of 0.5 buys ε = 1
    {'scale': 1.0}
    """

    def draw(self, source: Any, scale: float, size: int) -> Any:
        """Discrete Laplace noise."""
        from dpframe.kernel.noise import discrete_laplace

        return discrete_laplace(source, scale, size)
