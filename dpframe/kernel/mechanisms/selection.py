"""``exponential_mechanism`` and ``permute_and_flip``: one index of a private score vector."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.proposals import FlipRate, RangeRate
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain


def lattice_rate(rate: float, step: Fraction) -> float:
    """A rate per lattice step, never above the declared one."""
    exact = Fraction(rate) * step
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, 0.0)


@attrs.frozen
class Selection(Mechanism):
    """Base of selections: P(j) grows with exp(rate·s_j); integer scores are sampled exactly."""

    @abstractmethod
    def draw(self, source: Any, scores: Any, rate: float, times: int) -> Any:
        """Indices of integer scores, drawn exactly."""

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """Independent draws."""
        rate = lattice_rate(calibration["rate"], exact.step)
        return [int(j) for j in np.ravel(self.draw(source, np.asarray(exact.integers), rate, times))]


@register("exponential_mechanism")
@attrs.frozen
class ExponentialMechanism(RangeRate, Selection):
    """``P(j) ∝ exp(rate·s_j)``.

    Parameters
    ----------
    share, noise_multiplier : float
        A share of ρ buys ε = √(8ρ) = 2·rate·Δ.

    Formal guarantees
    -----------------
    Adjacency: through the scores' ℓ∞ bound Δ. Loss: bounded range 2·rate·Δ, so ε²/8 zCDP
    (``exponential_mechanism``).

    References
    ----------
    McSherry, Talwar (2007); Dong, Durfee, Rogers (2020).

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import LInf, Scores
    >>> select = ExponentialMechanism(share=1.0)
    >>> noise = select.calibrate(0.125, 0.0, (LInf(1.0),), Scores(3))  # a ρ of 1/8 buys ε = 1
    >>> noise
    {'rate': 0.5}
    >>> select.release(Exact(np.array([0, 400, 20])), noise, Scores(3), SeededSource(1))
    1
    """

    def noise_std(self, calibration: Mapping[str, Any]) -> float:
        """1/rate: how far apart scores must be to be told apart, in units of the scores."""
        return 1.0 / float(calibration["rate"])

    def draw(self, source: Any, scores: Any, rate: float, times: int) -> Any:
        """Indices."""
        from dpframe.kernel.noise import categorical_exp

        return categorical_exp(source, scores, rate, size=times)


@register("permute_and_flip")
@attrs.frozen
class PermuteAndFlip(FlipRate, Selection):
    """Visit the candidates in random order and stop at j with probability exp(rate·(s_j − max s)).

    Formal guarantees
    -----------------
    Adjacency: through the scores' ℓ∞ bound Δ. Loss: 2·rate·Δ-DP, and no bounded range (``permute_and_flip``).

    References
    ----------
    McKenna, Sheldon (2020).

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import LInf, Scores
    >>> select = PermuteAndFlip(share=1.0)
    >>> noise = select.calibrate(0.5, 0.0, (LInf(1.0),), Scores(3))  # a ρ of 1/2 buys ε = 1
    >>> select.release(Exact(np.array([0, 400, 20])), noise, Scores(3), SeededSource(1))
    1
    """

    def draw(self, source: Any, scores: Any, rate: float, times: int) -> Any:
        """Indices."""
        from dpframe.kernel.noise import permute_and_flip

        return permute_and_flip(source, scores, rate, size=times)
