"""``truncated_laplace_test``: a test that fails surely below its threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact.integers import add, to_floats
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.proposals import GateNoise
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Outcome, finite, fraction
from dpframe.proof.theorems import up


@register("truncated_laplace_test")
@attrs.frozen
class TruncatedLaplaceTest(GateNoise, Mechanism):
    """Release ``v + TLap``, Laplace noise cut at ±A, and pass when it reaches ``threshold + A``.

    So it passes only if ``v >= threshold``: what comes after may rely on that (T4).

    Parameters
    ----------
    threshold : float
        A public number; the test fails surely when the value is below it.
    delta_fraction : float
        Fraction of the budget's δ for the cut.

    Formal guarantees
    -----------------
    Adjacency: through the input's ℓ₁ bound Δ. Loss: (ε, δ) with A = (Δ/ε)·ln(1 + (e^ε − 1)/2δ) rounded up to the
    lattice (``truncated_laplace``). On the lattice the cut mass is e^{−(A−Δ+1)/b}(1 − e^{−Δ/b})/(1 + q −
    2e^{−(A+1)/b}), q = e^{−1/b}, which the continuous A covers because b·ln(2/(1 + q)) <= 1/2.

    References
    ----------
    Geng, Ding, Guo, Kumar (2018); Arbas23 Alg 1.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import L1, Counts
    >>> test = TruncatedLaplaceTest(threshold=100.0, share=1.0, delta_fraction=0.5)
    >>> noise = test.calibrate(0.5, 1e-6, (L1(1.0),), Counts(1))
    >>> many, few = (test.release(Exact(np.array([v])), noise, Counts(1), SeededSource(1)) for v in (500, 99))
    >>> many.passed, few.passed  # below the threshold it fails for sure, whatever the noise
    (True, False)
    """

    threshold: float = attrs.field(kw_only=True, validator=finite)
    delta_fraction: float = attrs.field(kw_only=True, validator=fraction)

    def drawn_at(self, calibration: Mapping[str, Any]) -> float:
        """Δ/ε."""
        return up(calibration["sensitivity"] / calibration["epsilon"])

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """Draw the cut noise by rejection (acceptance at least 1/2), of all releases together, and compare."""
        from dpframe.kernel.noise import discrete_laplace

        scale = lattice_scale(self.drawn_at(calibration), exact.step)
        width = math.ceil(lattice_scale(calibration["half_width"], exact.step))
        noise = np.asarray(discrete_laplace(source, scale, times))
        while (outside := np.flatnonzero(np.abs(noise) > width)).size:
            redrawn = np.asarray(discrete_laplace(source, scale, outside.size))
            noise = noise.astype(np.result_type(noise, redrawn))
            noise[outside] = redrawn
        bar = math.ceil(Fraction(self.threshold) / exact.step) + width
        sums = add(np.ravel(exact.integers)[0], noise)
        values = to_floats(sums, exact.step).tolist()
        return [Outcome(passed=z >= bar, value=v) for z, v in zip(sums.tolist(), values, strict=True)]
