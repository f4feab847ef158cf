"""Events without pure differential privacy: Gaussian, zCDP only, a Rényi curve only."""

from __future__ import annotations

import math
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import (
    FLOOR,
    FloatArray,
    LossError,
    check_orders,
    half_square_up,
    nonnegative,
    number,
    real,
)
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.gaussian import gaussian_profile


@final
@attrs.frozen
class Gaussian(Event):
    r"""Gaussian noise; :math:`\mu` is the L2 sensitivity over the standard deviation.

    The rounded Gaussian :math:`\mathrm{round}(\sigma N)` on a lattice is post-processing of it; the
    *discrete* Gaussian is not and is a :class:`Concentrated` event. zCDP :math:`\mu^2/2`; the profile is
    exact (:mod:`dpframe.proof.losses.gaussian`).

    Parameters
    ----------
    mu : float
        Non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "gaussian"
    mu: float = attrs.field(converter=real, validator=nonnegative)

    @property
    def rho(self) -> float:
        """The zCDP parameter."""
        return half_square_up(self.mu)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        if math.isinf(self.mu):
            return np.ones_like(eps), np.ones_like(eps)
        if self.mu == 0:
            exact = -np.expm1(np.minimum(eps, 0.0))
            return exact, exact
        return gaussian_profile(self.mu, eps)


class Undominated(Event):
    """An event of which no dominating pair is known, and so no privacy profile."""

    __slots__ = ()

    @property
    def dominated(self) -> bool:
        """Always false."""
        return False

    def _enclosure(self, eps: FloatArray) -> None:
        return None


@final
@attrs.frozen
class Concentrated(Undominated):
    r"""A mechanism of which only :math:`\rho`-zCDP is known, such as the discrete Gaussian.

    Parameters
    ----------
    rho : float
        Non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "concentrated"
    rho: float = attrs.field(converter=real, validator=nonnegative)


def _floats(values: object) -> tuple[float, ...]:
    if isinstance(values, (str, bytes)):
        raise LossError(f"a Rényi curve needs a sequence of numbers, got {values!r}")
    try:
        return tuple(number(v, "a Rényi order or value") for v in values)  # type: ignore[attr-defined]
    except TypeError:
        raise LossError(f"a Rényi curve needs a sequence of numbers, got {values!r}") from None


@final
@attrs.frozen
class Renyi(Undominated):
    r"""A mechanism of which only :math:`D_{a_i} \le v_i` at given orders is known.

    Between orders the convexity of :math:`(a-1)D_a`, which is 0 at :math:`a=1`, gives the chord as a bound,
    and :math:`D_a` does not decrease in :math:`a`, which gives the value at the next larger order (van
    Erven and Harremoës 2014, Theorem 3 and Corollary 2); the smaller one is taken. Above the largest order: ``inf``.

    Parameters
    ----------
    orders : sequence of float
        Strictly increasing, finite, above 1; at least one.
    values : sequence of float
        As many, non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "renyi"
    orders: tuple[float, ...] = attrs.field(converter=_floats)
    values: tuple[float, ...] = attrs.field(converter=_floats)

    def __attrs_post_init__(self) -> None:
        if not self.orders or len(self.orders) != len(self.values):
            raise LossError("a Rényi curve needs as many values as orders, at least one")
        if bool(np.any(np.diff(check_orders(self.orders)) <= 0)):
            raise LossError("Rényi orders must increase strictly")

    @property
    def rho(self) -> float:
        """The zCDP parameter."""
        return math.inf

    def _rdp(self, orders: FloatArray) -> FloatArray:
        known = np.array((1.0, *self.orders))
        values = np.minimum.accumulate(np.array(self.values)[::-1])[::-1]
        heights = np.array((0.0, *values)) * (known - 1)
        right = np.searchsorted(known, orders, side="left")
        inside = right < len(known)
        right = np.minimum(right, len(known) - 1)
        left, following = right - 1, values[right - 1]
        part = (orders - known[left]) / (known[right] - known[left])
        chord = (heights[left] * (1 - part) + heights[right] * part) * (1 + 1e-14) / (orders - 1)
        bound = np.where(np.isfinite(chord) & (chord > FLOOR), np.minimum(chord, following), following)
        return np.where(inside, bound, math.inf)
