r"""From Rényi divergences to :math:`(\varepsilon,\delta)`, by the best order.

For every order :math:`a>1`, :math:`D_a\le\tau` in both directions implies

.. math:: \delta(\varepsilon) \le \frac{e^{(a-1)(\tau-\varepsilon)}}{a-1}\Bigl(1-\frac1a\Bigr)^a

(Canonne, Kamath and Steinke, NeurIPS 2020, Proposition 12; Asoodeh et al., ISIT 2020).
Each order gives a valid bound, so the search over orders need not be exact to be sound.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from dpframe.proof.losses import basic
from dpframe.proof.losses._numeric import FloatArray, U, up
from dpframe.proof.losses.basic import Events
from dpframe.proof.losses.smooth import Renyi

_GRID = 1 + np.exp(np.linspace(math.log(1e-6), math.log(1e19), 120))
_ZOOMS = 5

Curve = Callable[[FloatArray], FloatArray]


def known_orders(events: Events) -> set[float]:
    """The orders at which some event of the core gives its curve."""
    found: set[float] = set()
    for event, _ in events:
        if isinstance(event, Renyi):
            found.update(event.orders)
        elif event.alternatives:
            for alternative in event.alternatives:
                found |= known_orders(alternative)
    return found


def least(objective: Curve, extra: set[float]) -> tuple[float, float]:
    """Smallest value of the objective that is found over the orders, and its order."""
    orders = np.union1d(_GRID, np.array(sorted(extra))) if extra else _GRID
    best, where = math.inf, math.nan
    for _ in range(_ZOOMS):
        with np.errstate(all="ignore"):
            values = objective(orders)
        values = np.where(np.isnan(values), math.inf, values)
        at = int(np.argmin(values))
        if values[at] < best:
            best, where = float(values[at]), float(orders[at])
        left, right = orders[max(at - 1, 0)] - 1, orders[min(at + 1, len(orders) - 1)] - 1
        orders = 1 + np.exp(np.linspace(math.log(left), math.log(right), 11))
    return best, where


def renyi_epsilon(curve: Curve, delta: float, extra: set[float]) -> tuple[float, float]:
    """Epsilon at ``delta`` in (0, 1), at least 0, and the order that gave it."""
    log_delta = math.log(delta)

    def at(a: FloatArray) -> FloatArray:
        tau, gap, log_a, log_gap = curve(a), a - 1, np.log(a), np.log(a - 1)
        shrink = np.where(a < 2, log_gap - log_a, np.log1p(-1 / a))
        sizes = tau + np.abs(shrink) + np.where(a < 2, np.abs(log_gap), 0.0) + (log_a - log_delta) / gap
        return tau + shrink - (log_delta + log_a) / gap + 8 * U * sizes

    value, order = least(at, extra)
    if math.isinf(value):
        return math.inf, math.nan
    return max(up(value, 2), 0.0), order


@functools.lru_cache(maxsize=1024)
def epsilon(events: Events, delta: float) -> tuple[float, float]:
    """:func:`renyi_epsilon` of a composed core; ``(inf, nan)`` where no order is finite."""
    return renyi_epsilon(lambda a: basic.rdp(events, a), delta, known_orders(events))
