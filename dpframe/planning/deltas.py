r"""The other direction: the least :math:`\delta` of a loss at an :math:`\varepsilon` that is given.

For comparisons. No certificate, check or run converts this way round; the bounds are proved in the same places
(``docs/theory/losses.md``, section 3), and what they are made of is the accountants' own.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from dpframe.proof.losses import Loss, basic, pld, renyi
from dpframe.proof.losses._numeric import FloatArray, U, number, up
from dpframe.proof.losses.accountants import known
from dpframe.proof.losses.basic import Events, pooled
from dpframe.proof.losses.gaussian import gaussian_delta
from dpframe.proof.losses.renyi import known_orders, least


def delta(loss: Loss, eps: float, accountant: str) -> float:
    r"""Upper bound of the total :math:`\delta` at ``eps >= 0``; 1 where the accountant does not apply."""
    known(accountant)
    core = _core_delta(loss, number(eps, "epsilon"), accountant)
    if core == 0 or core >= 1 or loss.delta >= 1:
        return min(max(loss.delta, core), 1.0)
    return min(up(loss.delta + (1 - loss.delta) * core, 2), 1.0)


def _core_delta(loss: Loss, eps: float, accountant: str) -> float:
    if not loss.events:
        return 0.0
    if accountant == "basic":
        return 0.0 if loss.epsilon <= eps else 1.0
    if accountant == "gdp":
        return gaussian_delta(loss.mu, eps)
    if accountant == "pld":
        mu, rest = pooled(loss.events)
        return gaussian_delta(mu, eps) if not rest else composed_delta(loss.events, eps)
    if accountant == "zcdp":
        rho = loss.rho
        return 1.0 if math.isinf(rho) else renyi_delta(lambda a: rho * a, eps, set())[0]
    return _rdp_delta(loss.events, eps)[0]


def composed_delta(events: Events, epsilon: float) -> float:
    """Delta of the composed core at ``epsilon >= 0``, where some event has no dominating pair the Rényi bound."""
    if not all(event.dominated for event, _ in events):
        return _rdp_delta(events, epsilon)[0]
    if epsilon >= basic.epsilon(events):
        return 0.0
    return min(pair_delta(events, epsilon), _rdp_delta(events, epsilon)[0])


@functools.lru_cache(maxsize=1024)
def pair_delta(events: Events, epsilon: float) -> float:
    """Delta of the composed dominating pairs; 1 where the composer gives up."""
    near, order = _rdp_delta(events, epsilon)
    grid = pld.plan(events, near, epsilon, order)
    while grid is not None and (grid.top - grid.size) * grid.step > epsilon:
        grid = pld.widen(grid)
    curve = None if grid is None or grid.top * grid.step <= epsilon else pld.compose(events, grid)
    return 1.0 if curve is None else _value(curve, epsilon)


def _value(curve: pld.Curve, epsilon: float) -> float:
    """The profile at ``epsilon`` inside the window; 1 where the slack is too large."""
    k = math.floor(epsilon / curve.step)
    k = min(max(k - (k * curve.step > epsilon) - curve.first, 0), len(curve.values) - 1)
    after = curve.values[k + 1] if k + 1 < len(curve.values) else curve.constant
    share = math.expm1(max(epsilon - (curve.first + k) * curve.step, 0.0)) / math.expm1(curve.step)
    value = float(curve.values[k] + min(share, 1.0) * (after - curve.values[k]))
    if not math.isfinite(value) or curve.slack[k] > pld.SLACK * value:
        return 1.0
    return min(value * (1 + 2e-12) * math.exp(curve.log_delta) + 5e-324, 1.0)


def _rdp_delta(events: Events, epsilon: float) -> tuple[float, float]:
    """:func:`renyi_delta` of a composed core."""
    return renyi_delta(lambda a: basic.rdp(events, a), epsilon, known_orders(events))


def renyi_delta(curve: renyi.Curve, epsilon: float, extra: set[float]) -> tuple[float, float]:
    """Delta at ``epsilon``, at most 1, and the order that gave it."""

    def at(a: FloatArray) -> FloatArray:
        tau, gap, log_a, log_gap = curve(a), a - 1, np.log(a), np.log(a - 1)
        shrink = np.where(a < 2, gap * log_gap - a * log_a, a * np.log1p(-1 / a) - log_gap)
        sizes = gap * (tau + epsilon) + np.abs(log_gap) * np.minimum(gap, 1.0) + log_a + 2
        return np.where(np.isfinite(tau), gap * (tau - epsilon) + shrink + 8 * U * sizes, math.inf)

    value, order = least(at, extra)
    exponent = value + 4 * U * abs(value) if math.isfinite(value) else value
    return (max(up(math.exp(exponent), 2), 5e-324) if exponent < 0 else 1.0), order
