"""``discrete_gaussian``: the discrete Gaussian on request, charged in zCDP."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.errors import PlanError
from dpframe.mechanisms.gaussian import GaussianMechanism
from dpframe.registry import register
from dpframe.spaces import Counts, Domain, Vector


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

    theorem: ClassVar[str] = "discrete_gaussian_mechanism"

    def output(self, *inputs: Domain) -> Domain:
        """Vectors and counts."""
        if not isinstance(inputs[0], (Vector, Counts)):
            raise PlanError(f"discrete_gaussian takes a vector or counts, not {inputs[0]}", fix="use gaussian")
        return inputs[0]

    def draw(self, source: Any, scale: float, size: int) -> Any:
        """Discrete Gaussians."""
        from dpframe.noise import discrete_gaussian

        return discrete_gaussian(source, scale, size)
