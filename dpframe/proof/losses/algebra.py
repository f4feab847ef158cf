r"""Losses and the three ways to put them together: after one another, one of several, and on a secret sample.

A loss is a pair (core, :math:`\delta`). The core is a multiset of events. Meaning: for every pair of
neighbours the output laws are :math:`P = (1-\delta)P' + \delta E` and :math:`Q = (1-\delta)Q' + \delta E'`,
and :math:`(P', Q')` satisfies every view of the composed core. Cores compose, and nothing fails with
probability :math:`\prod(1-\delta_i)`.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any, final

import attrs
import numpy as np

from dpframe.proof.losses import basic
from dpframe.proof.losses._numeric import (
    FloatArray,
    LossError,
    U,
    check_orders,
    finite,
    floored,
    real,
    round_up,
    sum_up,
    up,
)
from dpframe.proof.losses.basic import Events, canonical
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.pure import Pure
from dpframe.proof.losses.worst import worst_events


@final
@attrs.frozen(cache_hash=True)
class Loss:
    """What a mechanism, or any composition of them, costs.

    Parameters
    ----------
    events : mapping or iterable of (Event, int)
        Each event and how many times it occurs. Kept merged and sorted.
    delta : float
        Probability of failure outside the core, non-negative and finite.

    Examples
    --------
    >>> from dpframe.proof.losses import Gaussian, Loss, compose
    >>> total = compose(Loss.of(Gaussian(3.0)), Loss.of(Gaussian(4.0)))
    >>> total.mu
    5.0
    """

    events: Events = attrs.field(converter=canonical)
    delta: float = attrs.field(default=0.0, converter=real, validator=finite)

    @classmethod
    def of(cls, event: Event, times: int = 1, delta: float = 0.0) -> Loss:
        """Loss of one event, ``times`` times, plus a failure probability."""
        return cls(((event, times),), delta)

    @functools.cached_property
    def epsilon(self) -> float:
        """Pure DP parameter of the core by basic composition, or ``inf``."""
        return basic.epsilon(self.events)

    @functools.cached_property
    def rho(self) -> float:
        """The zCDP parameter of the core, or ``inf``."""
        return basic.rho(self.events)

    @functools.cached_property
    def mu(self) -> float:
        """GDP parameter of the core, or ``inf``."""
        return basic.mu(self.events)

    @property
    def dominated(self) -> bool:
        """Whether every event has a dominating pair, so that PLD accounting is possible."""
        return all(event.dominated for event, _ in self.events)

    @property
    def finite(self) -> bool:
        """Whether any accountant can say anything: some view of the core is finite."""
        if math.isfinite(self.epsilon) or math.isfinite(self.rho) or math.isfinite(self.mu):
            return True
        return bool(np.any(np.isfinite(self.rdp(np.array([1.01, 1.1, 1.5, 2.0, 8.0])))))

    def rdp(self, orders: FloatArray) -> FloatArray:
        """Rényi divergence of the core at each order above 1, shape of ``orders``."""
        return basic.rdp(self.events, check_orders(orders))

    def to_json(self) -> dict[str, Any]:
        """Plain data for :func:`loss_from_json`; floats round-trip exactly."""
        return {"events": [[event.to_json(), times] for event, times in self.events], "delta": self.delta}


ZERO = Loss((), 0.0)
"""The loss of a computation that does not touch private data."""


def compose(*losses: Loss) -> Loss:
    """Loss of running all mechanisms, each possibly chosen by the outputs of the earlier ones.

    Events unite with multiplicity; the delta is the probability that any fails, rounded up.

    Formal guarantees
    -----------------
    Adaptive composition holds for every view: pure DP, zCDP, each Rényi order, GDP and dominating pairs
    (docs/theory/losses.md, section 1).
    """
    pairs = [pair for loss in losses for pair in loss.events]
    return Loss(pairs, _any_fails([loss.delta for loss in losses]))


def _any_fails(deltas: list[float]) -> float:
    """Bound of ``1 - prod (1 - delta)``, at most the sum (docs/theory/losses.md, 1.2)."""
    total = sum_up((delta, 1) for delta in deltas)
    if sum(delta > 0 for delta in deltas) <= 1 or any(delta >= 1 for delta in deltas):
        return total
    rate = sum_up((-math.log1p(-delta) * (1 + 8 * U), 1) for delta in deltas)
    return min(total, up(-math.expm1(-rate), 8))


def worst(*losses: Loss) -> Loss:
    """Loss of a mechanism that turns out to be one of several, the choice being the adversary's.

    The delta is the largest delta. Alternatives that another one is known to dominate are dropped; if several
    are left they form one :class:`~dpframe.proof.losses.Worst` event.

    Raises
    ------
    LossError
        Without any alternative.
    """
    if not losses:
        raise LossError("the worst of no losses is undefined")
    if len(losses) == 1:
        return losses[0]
    return Loss(worst_events([loss.events for loss in losses]), max(loss.delta for loss in losses))


def amplify(loss: Loss, rate: float, *, shared: bool = False) -> Loss:
    r"""Loss of a mechanism that is run on a secret random sample of the rows.

    An :math:`(\varepsilon,\delta)`-DP mechanism on a secret sample is
    :math:`(\ln(1+p(e^\varepsilon-1)), p\delta)`-DP (Balle, Barthe and Gaboardi, NeurIPS 2018, Theorems 8-9),
    once for everything run on it.

    Parameters
    ----------
    loss : Loss
        Loss of everything run on the sample, with finite pure epsilon: under Poisson sampling the worst
        over the edits (1,1), (1,0), (0,1); under a fixed-size uniform subset and replace-one (1,1) does.
    rate : float
        Public inclusion probability :math:`p` in (0, 1].
    shared : bool
        Whether it is a loop's, whose L items share this loss and draw a sample each: δ is then
        :math:`1-(1-\delta)^p`, which is above :math:`p\delta` (docs/theory/composition.md#5-a-loop-with-a-fixed-total).

    Raises
    ------
    LossError
        If the loss has no finite pure epsilon, or the rate is not in (0, 1].

    Formal guarantees
    -----------------
    Holds when the sample is secret and drawn independently of the data; under Poisson sampling its size is
    private too, and must not be released except through a mechanism counted in ``loss``.
    """
    p, epsilon = real(rate), loss.epsilon
    if not 0 < p <= 1:
        raise LossError(f"rate must lie in (0, 1], got {rate!r}")
    if math.isinf(epsilon):
        raise LossError("only a loss with a finite pure epsilon is amplified by sampling")
    if p == 1:
        return loss
    if epsilon < 700:
        smaller = math.log1p(p * math.expm1(epsilon))
    else:
        smaller = epsilon + math.log(p + (1 - p) * math.exp(-epsilon))
    bounded = min(floored(up(smaller, 8) + (0.0 if epsilon < 700 else 1e-14 * epsilon)), epsilon)
    delta = round_up(Fraction(p) * Fraction(loss.delta))
    if shared and loss.delta:
        delta = floored(up(-math.expm1(up(p, 2) * math.log1p(-loss.delta)), 8)) if loss.delta < 1 else 1.0
    return Loss.of(Pure(bounded), delta=min(delta, 1.0))
