r"""From a composed loss to :math:`(\varepsilon,\delta)`: five accountants, each sound by itself.

====== ==============================================================================================
basic  the pure epsilons add; delta is the loss's own
zcdp   rho, then the best Rényi order (never ``rho + 2 sqrt(rho ln 1/delta)``, which is looser)
rdp    the Rényi curve, then the best order
gdp    mu, then the exact Gaussian profile; exact when all events are Gaussian
pld    numerical composition of dominating pairs, rounded outward (:mod:`dpframe.proof.losses.pld`), or rdp's
====== ==============================================================================================

The loss's own delta is part of the total: the core is converted at
``(delta - loss.delta) / (1 - loss.delta)``.
"""

from __future__ import annotations

import math

from dpframe.proof.losses import pld, renyi
from dpframe.proof.losses._numeric import LossError, number
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.losses.basic import pooled
from dpframe.proof.losses.gaussian import gaussian_epsilon

ACCOUNTANTS = ("basic", "zcdp", "rdp", "gdp", "pld")


def known(accountant: str) -> str:
    """The accountant's name, if it is one."""
    if accountant not in ACCOUNTANTS:
        raise LossError(f"unknown accountant {accountant!r}", fix=f"one of {', '.join(ACCOUNTANTS)}")
    return accountant


def epsilon(loss: Loss, delta: float, accountant: str) -> float:
    r"""Upper bound of :math:`\varepsilon` at a total :math:`\delta` by one accountant.

    Parameters
    ----------
    loss : Loss
        The composed loss; its own delta is part of the total.
    delta : float
        Total failure probability, non-negative. With ``delta == loss.delta`` only "basic" can answer.
    accountant : str
        One of :data:`ACCOUNTANTS`.

    Returns
    -------
    float
        Never below the true value of what the accountant computes; ``inf`` where it does not apply.

    Examples
    --------
    >>> from dpframe.proof.losses import Gaussian
    >>> one = Loss.of(Gaussian(1.0))
    >>> round(epsilon(one, 1e-6, "gdp"), 3), round(epsilon(one, 1e-6, "zcdp"), 3)
    (4.887, 5.222)
    """
    known(accountant)
    left = left_of(loss, number(delta, "delta"))
    if delta >= 1:
        return 0.0
    if accountant == "basic":
        return loss.epsilon if left >= 0 else math.inf
    if not loss.events:
        return 0.0 if left >= 0 else math.inf
    if left <= 0:
        return math.inf
    if accountant == "gdp":
        return gaussian_epsilon(loss.mu, left)
    if accountant == "pld":
        return _pld_epsilon(loss, left)
    if accountant == "zcdp":
        rho = loss.rho
        return math.inf if math.isinf(rho) else renyi.renyi_epsilon(lambda a: rho * a, left, set())[0]
    return renyi.epsilon(loss.events, left)[0]


def left_of(loss: Loss, total: float) -> float:
    """The core's delta that makes the total, rounded down; exactly 0 when the loss's own is all of it."""
    if loss.delta == 0 or total <= loss.delta or loss.delta >= 1:
        return total - loss.delta
    return math.nextafter(math.nextafter(total - loss.delta, 0.0) / math.nextafter(1 - loss.delta, 2.0), 0.0)


def _pld_epsilon(loss: Loss, left: float) -> float:
    mu, rest = pooled(loss.events)
    return gaussian_epsilon(mu, left) if not rest else pld.epsilon(loss.events, left)


def applicable(loss: Loss) -> tuple[str, ...]:
    """The accountants worth asking, in the order of :data:`ACCOUNTANTS`.

    "pld" is left out for Gaussians alone, where "gdp" is exact, and where an event has no dominating pair.
    """
    _, rest = pooled(loss.events)
    checks = {
        "basic": math.isfinite(loss.epsilon),
        "zcdp": math.isfinite(loss.rho),
        "rdp": loss.finite and bool(loss.events),
        "gdp": math.isfinite(loss.mu),
        "pld": bool(rest) and loss.dominated and loss.finite,
    }
    return tuple(name for name in ACCOUNTANTS if checks[name])
