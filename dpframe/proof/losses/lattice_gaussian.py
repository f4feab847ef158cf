r"""Discrete Gaussian noise on one coordinate: the exact profile on a known lattice, and one bound for all lattices.

Noise :math:`P(k)\propto e^{-k^2/2\tau^2}` against its shift by an integer :math:`s` has the losses
:math:`s(s-2k)/2\tau^2`, so with :math:`m` the last integer whose loss exceeds :math:`x`

.. math:: \delta_s(x) = P(Z\le m) - e^x P(Z\le m-s) .

It need not grow with :math:`s`: a sensitivity is the supremum over all integers up to it. Proofs:
``docs/theory/losses.md``, section 2.8.
"""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import (
    FloatArray,
    U,
    half_square_up,
    nonnegative,
    positive,
    real,
    representable,
    round_up,
    up,
    whole,
)
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.gaussian import gaussian_profile

MOST_SHIFTS = 64
FINE = 128.0
"""From this scale on the bound for fine lattices is as good as exact."""
STEEP, STEEPEST = 1.0, 2.0
"""Largest shift over scale that the bound is proved for, on any lattice and on those of 32 steps a scale or more."""
_DENSITY = 1 / math.sqrt(2 * math.pi)


def bend(mu: float) -> float:
    """κ: at least (max k' − min k')/8 for k(v) = v·exp(μv/2 − v²/2) over v >= 0 (docs/theory/losses.md, 2.8)."""
    return 0.245 if mu <= 1 else 0.43


def fine_profile(mu: float, scale: float, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""Enclose :math:`\delta_\mu(x)+\kappa\mu\tau^{-2}\varphi(x/\mu-\mu/2)`, for shifts of at most :math:`\mu\tau`."""
    lower, upper = gaussian_profile(mu, eps)
    at = eps / mu - mu / 2
    slack = 2e-14 + 8 * U * (np.abs(eps / mu) + mu) * (2 + np.abs(at))
    more = bend(mu) * mu / scale / scale * _DENSITY * np.exp(-0.5 * at * at)
    more = np.where(np.isfinite(more), more, 0.0)
    slack = np.where(np.isfinite(slack), slack, 0.0)
    return lower + more * np.maximum(1 - slack, 0.0), np.minimum((upper + more * (1 + slack)) * (1 + 4 * U), 1.0)


@functools.lru_cache(maxsize=16)
def _tails(scale: float) -> FloatArray:
    """P(Z <= −j) for j = 0, 1, .., good to 1e-12 relatively; from where it underflows on it is 0."""
    index = np.arange(int(39 * scale) + 8, dtype=np.float64)
    mass = np.exp(-0.5 * (index / scale) ** 2)
    sums = np.cumsum(mass[::-1])[::-1]
    tails: FloatArray = sums / (2 * sums[0] - 1)
    return tails


def exact_profile(shift: int, scale: float, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Enclose the largest profile over all integer shifts up to ``shift``, by (1) for negative ``eps``."""
    x, tails = np.abs(eps), _tails(scale)
    last, grown = len(tails) - 1, np.exp(np.minimum(x, 709.0))

    def below(m: FloatArray) -> FloatArray:
        """P(Z <= m)."""
        deep = tails[np.clip(-m, 0, last).astype(np.int64)] * (-m <= last)
        return np.where(m < 0, deep, 1 - tails[np.clip(m + 1, 0, last).astype(np.int64)])

    lower, upper = np.zeros_like(x), np.zeros_like(x)
    for s in range(1, shift + 1):
        near = np.ceil(s / 2 - x * scale * scale / s) - 1
        for m in (near - 1, near, near + 1):  # the best m may be off by one through rounding; every m is a lower bound
            one, two = below(m), grown * below(m - s)
            error = 4e-12 * (one + np.where(np.isfinite(two), two, 0.0)) + 1e-300
            gap = np.where(np.isfinite(two), one - two, 0.0)
            lower, upper = np.maximum(lower, gap - error), np.maximum(upper, gap + error)
    factor = np.where(eps < 0, np.exp(-x), 1.0)
    base = np.where(eps < 0, -np.expm1(-x), 0.0)
    return (base + factor * lower) * (1 - 8 * U), np.minimum((base + factor * upper) * (1 + 8 * U), 1.0)


class _Lattice(Event):
    """What both events are: zCDP as the continuous noise (Canonne, Kamath and Steinke, NeurIPS 2020, Theorem 4)."""

    __slots__ = ()

    @abstractmethod
    def span(self) -> float:
        """Shift over scale, rounded up."""

    @property
    def rho(self) -> float:
        """The zCDP parameter."""
        return half_square_up(self.span())


@final
@attrs.frozen
class DiscreteGaussian(_Lattice):
    r"""Discrete Gaussian noise of a known scale on one integer that moves by at most ``shift``.

    The profile is exact for scales below 128 and shifts up to 64, and the supremum over all integer shifts; for
    larger ones it is :math:`\delta_\mu(x)+\kappa\mu\tau^{-2}\varphi(x/\mu-\mu/2)`, which is hardly above. Vectors
    have zCDP only (:class:`~dpframe.proof.losses.Concentrated`).

    Parameters
    ----------
    shift : int
        Sensitivity in lattice steps, at least 0.
    scale : float
        :math:`\tau` in lattice steps, positive and finite.

    Examples
    --------
    >>> import numpy as np
    >>> float(DiscreteGaussian(1, 1.0).profile(np.array([0.0]))[0].round(6))
    0.398942
    """

    kind: ClassVar[str] = "discrete_gaussian"
    shift: int = attrs.field(converter=whole, validator=representable)
    scale: float = attrs.field(converter=real, validator=positive)

    def span(self) -> float:
        """Shift over scale, rounded up."""
        return round_up(Fraction(self.shift) / Fraction(self.scale))

    @property
    def dominated(self) -> bool:
        """Whether the profile is known: for scales below 128 and shifts up to 64, or shifts of two scales."""
        return self._exact or self.span() <= STEEPEST

    @property
    def _exact(self) -> bool:
        return self.shift == 0 or (0.05 <= self.scale < FINE and self.shift <= MOST_SHIFTS)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        if self._exact:
            return exact_profile(self.shift, self.scale if self.shift else 1.0, eps)
        return fine_profile(self.span(), self.scale, eps) if self.dominated else None


@final
@attrs.frozen
class LatticeGaussian(_Lattice):
    r"""Discrete Gaussian noise on one coordinate of any lattice, however coarse: only Δ/σ is known.

    .. math:: \delta(x) \le \delta_\mu(x) + \kappa\mu^3\varphi(x/\mu-\mu/2),\qquad \kappa = 0.245,\ \mu\le1,

    with :math:`\delta_\mu` the profile of the continuous noise. Above 1 only zCDP is known.

    Parameters
    ----------
    ratio : float
        Sensitivity over scale, non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "lattice_gaussian"
    ratio: float = attrs.field(converter=real, validator=nonnegative)

    def span(self) -> float:
        """The ratio."""
        return self.ratio

    @property
    def dominated(self) -> bool:
        """Whether the profile is known: up to a ratio of 1."""
        return self.ratio <= STEEP

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        if self.ratio == 0:
            return exact_profile(0, 1.0, eps)
        return fine_profile(self.ratio, 1 / up(self.ratio), eps) if self.dominated else None
