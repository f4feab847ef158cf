"""``laplace``: exact discrete Laplace noise on a lattice statistic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.mechanisms.gaussian import add, lattice_scale, to_floats
from dpframe.operations import Exact, Mechanism
from dpframe.registry import register
from dpframe.spaces import L1, Domain
from dpframe.theorems import Metrics, find


@register("laplace")
@attrs.frozen
class LaplaceMechanism(Mechanism):
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
    """

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """B = Δ/√(2ρ), in units of the statistic."""
        return {"scale": find(worst, L1).bound / math.sqrt(2 * rho)}

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Add the noise and return floats."""
        from dpframe.noise import discrete_laplace

        integers = np.asarray(exact.integers)
        noise = discrete_laplace(source, lattice_scale(calibration["scale"], exact.step), integers.size)
        return to_floats(add(integers, np.asarray(noise).reshape(integers.shape)), exact.step)

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """All noise in one draw."""
        integers = np.asarray(exact.integers)
        copies = Exact(np.broadcast_to(integers, (times, *integers.shape)), exact.step)
        return list(self.release(copies, calibration, domain, source))
