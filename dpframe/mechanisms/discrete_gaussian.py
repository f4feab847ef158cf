"""``discrete_gaussian``: the discrete Gaussian on request, charged in zCDP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.mechanisms.gaussian import GaussianMechanism, add, lattice_scale, to_floats
from dpframe.operations import Exact
from dpframe.registry import register
from dpframe.spaces import Domain


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
    """

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Add the noise and return floats."""
        from dpframe.noise import discrete_gaussian

        integers = np.asarray(exact.integers)
        noise = discrete_gaussian(source, lattice_scale(calibration["sigma"], exact.step), integers.size)
        return to_floats(add(integers, np.asarray(noise).reshape(integers.shape)), exact.step)
