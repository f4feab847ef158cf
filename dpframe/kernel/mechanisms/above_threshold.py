"""``above_threshold``: the first of a sequence of scores that exceeds a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact.integers import add
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.proposals import ThresholdRate
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, finite


@register("above_threshold")
@attrs.frozen
class AboveThreshold(ThresholdRate, Mechanism):
    """Index of the first score with ``s_i + Lap(4Δ/ε) >= threshold + Lap(2Δ/ε)``, or None.

    Parameters
    ----------
    threshold : float
        A public number, in the units of the scores.

    Formal guarantees
    -----------------
    Adjacency: through the scores' ℓ∞ bound Δ, a whole number of lattice steps. Loss: ε-DP whatever the number of
    queries (``above_threshold``), with ε = rate·Δ.

    References
    ----------
    Dwork, Naor, Reingold, Rothblum, Vadhan (2009); KSSU19 §2.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import LInf, Scores
    >>> first = AboveThreshold(threshold=50.0, share=1.0)
    >>> noise = first.calibrate(0.5, 0.0, (LInf(1.0),), Scores(4))  # a ρ of 0.5 buys ε = 1
    >>> first.release(Exact(np.array([3, -80, 900, 950])), noise, Scores(4), SeededSource(1))
    2
    """

    threshold: float = attrs.field(kw_only=True, validator=finite)

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """One threshold noise, one noise a query, the first index that passes; of all releases drawn together."""
        from dpframe.kernel.noise import discrete_laplace

        scale = lattice_scale(math.nextafter(1.0 / calibration["rate"], math.inf), exact.step)
        scores = np.asarray(exact.integers).ravel()
        bar = add(math.ceil(Fraction(self.threshold) / exact.step), discrete_laplace(source, 2 * scale, times))
        noise = discrete_laplace(source, 4 * scale, times * scores.size).reshape(times, scores.size)
        passing = np.asarray(add(scores, noise) >= bar[:, None], dtype=np.bool_)
        first = np.argmax(passing, axis=1)
        return [int(i) if found else None for i, found in zip(first, np.any(passing, axis=1).tolist(), strict=True)]
