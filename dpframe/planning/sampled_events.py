r"""Gaussian and Laplace noise on a secret Poisson sample of the rows, under add_remove only.

If a mechanism whose rows are removed or added is dominated by a symmetric pair :math:`(P, Q)` of profile
:math:`\delta`, on a sample that holds each row with probability :math:`q` removing a row is dominated by
:math:`((1-q)Q+qP,\,Q)` and adding one by the pair turned round (Zhu, Dong and Wang, AISTATS 2022, Theorem 11). For
:math:`x\ge0` the first has the larger profile,

.. math:: \delta_q(x) = q\,\delta\bigl(\ln(1+(e^x-1)/q)\bigr),

and one symmetric pair serves both directions. Proofs: ``docs/theory/losses.md``, section 2.9.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses import Gaussian, Laplace
from dpframe.proof.losses._numeric import FloatArray, LossError, U, finite, floored, real, up
from dpframe.proof.losses.event import Event
from dpframe.proof.spaces.checks import validator

ADD_REMOVE = "add_remove"
MOST_ORDERS = 256
"""Rényi divergences are computed at whole orders up to this one."""


_rate = validator(lambda v: 0 < v <= 1, "in (0, 1]", "give the inclusion probability", LossError)
_proved = validator(
    lambda v: v == ADD_REMOVE,
    f"{ADD_REMOVE!r}, for which alone Poisson sampling is proved",
    "use add_remove, or amplify() a loss that is the worst over the edits (1,1), (1,0) and (0,1)",
    LossError,
)


class Sampled(Event):
    """What the two events share: the profile and the Rényi curve of a sampled symmetric pair."""

    __slots__ = ()
    rate: float
    adjacency: str

    @abstractmethod
    def inner(self) -> Event:
        """The event of the mechanism that is run on the sample."""

    @property
    def rho(self) -> float:
        """The zCDP parameter: the inner one, as mixing with the other law only loses."""
        return self.inner().rho

    @property
    def mu(self) -> float:
        """GDP parameter: the inner one, as mixing with the other law only loses."""
        return self.inner().mu

    @property
    def epsilon(self) -> float:
        """The pure DP parameter."""
        inner = self.inner().epsilon
        if inner == 0 or math.isinf(inner) or self.rate == 1:
            return inner
        if inner > 700:
            return inner
        return min(floored(up(math.log1p(self.rate * math.expm1(inner)), 8)), inner)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        x = np.abs(eps)
        far = x > 600.0
        grown = np.log1p(np.expm1(np.minimum(x, 600.0)) / self.rate)
        moved = np.where(far, x, grown)  # ln(1 + (e^x - 1)/q) >= x
        pair_low, pair_high = self.inner().enclosure(moved * (1 + 16 * U)), self.inner().enclosure(moved * (1 - 16 * U))
        if pair_low is None or pair_high is None:
            return None
        lower = np.where(far, 0.0, self.rate * pair_low[0] * (1 - 8 * U))
        upper = np.minimum(self.rate * pair_high[1] * (1 + 8 * U), 1.0)
        factor, base = np.where(eps < 0, np.exp(-x), 1.0), np.where(eps < 0, -np.expm1(-x), 0.0)
        return (base + factor * lower) * (1 - 8 * U), np.minimum((base + factor * upper) * (1 + 8 * U), 1.0)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        whole = self.inner().rdp(orders)
        if self.rate == 1:
            return whole
        top = min(MOST_ORDERS, max(2, math.ceil(min(float(orders.max(initial=2.0)), MOST_ORDERS))))
        heights = np.array([0.0, 0.0, *(self._log_moment(k) for k in range(2, top + 1))])  # (k - 1) D_k
        left = np.minimum(np.floor(orders), top - 1).astype(np.int64)
        part = orders - left
        chord = (heights[left] * (1 - part) + heights[left + 1] * part) * (1 + 1e-14) / (orders - 1)
        known = (orders <= top) & np.isfinite(chord)
        return np.where(known, np.minimum(np.maximum(chord, 1e-300), whole), whole)

    def _log_moment(self, order: int) -> float:
        """The logarithm of the mean of (dP/dQ)^order under Q, rounded up: what it exceeds 1 by is summed."""
        ks = np.arange(2, order + 1)
        powers = (ks - 1) * self.inner().rdp(ks.astype(np.float64))  # ln E_Q[(dP/dQ)^k]
        binomial = np.array([math.lgamma(order + 1) - math.lgamma(k + 1) - math.lgamma(order - k + 1) for k in ks])
        weights = binomial + (order - ks) * math.log1p(-self.rate) + ks * math.log(self.rate)
        small = np.log(np.expm1(np.minimum(powers, 1.0)))
        excess = weights + np.where(powers < 1, small, powers + np.log(-np.expm1(-np.maximum(powers, 1.0))))
        peak = float(excess.max())
        if not math.isfinite(peak):
            return 0.0 if peak == -math.inf else math.inf
        scale = float(
            np.max(np.abs(binomial)) + order * (abs(math.log(self.rate)) + abs(math.log1p(-self.rate))) + np.max(powers)
        )
        total = peak + math.log(float(np.exp(excess - peak).sum())) + 64 * U * (8 + order + scale)
        if total > 30:
            return total + math.exp(-total) * (1 + 1e-12)
        return math.log1p(math.exp(total)) * (1 + 8 * U)


@final
@attrs.frozen
class SampledGaussian(Sampled):
    r"""A :math:`\mu`-GDP Gaussian mechanism on a secret Poisson sample.

    Parameters
    ----------
    inner_mu : float
        Sensitivity over noise of the mechanism that is run on the sample; non-negative and finite.
    rate : float
        Public inclusion probability in (0, 1].
    adjacency : str
        ``"add_remove"``; nothing else is proved.

    Examples
    --------
    >>> import numpy as np
    >>> float(SampledGaussian(1.0, 0.1, "add_remove").profile(np.array([0.5]))[0].round(6))
    0.002033
    """

    kind: ClassVar[str] = "sampled_gaussian"
    inner_mu: float = attrs.field(converter=real, validator=finite)
    rate: float = attrs.field(converter=real, validator=_rate)
    adjacency: str = attrs.field(validator=_proved)

    def inner(self) -> Event:
        """The Gaussian."""
        return Gaussian(self.inner_mu)


@final
@attrs.frozen
class SampledLaplace(Sampled):
    r"""Continuous Laplace noise, :math:`\varepsilon`-DP by itself, on a secret Poisson sample.

    Parameters
    ----------
    inner_epsilon : float
        Sensitivity over scale of the mechanism that is run on the sample; non-negative and finite.
    rate : float
        Public inclusion probability in (0, 1].
    adjacency : str
        ``"add_remove"``; nothing else is proved.
    """

    kind: ClassVar[str] = "sampled_laplace"
    inner_epsilon: float = attrs.field(converter=real, validator=finite)
    rate: float = attrs.field(converter=real, validator=_rate)
    adjacency: str = attrs.field(validator=_proved)

    def inner(self) -> Event:
        """The Laplace mechanism."""
        return Laplace(self.inner_epsilon)
