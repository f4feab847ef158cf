"""The smallest epsilon that any accountant gives, for whoever plans or reports: a checker asks each by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpframe.proof.losses._numeric import number
from dpframe.proof.losses.accountants import ACCOUNTANTS, applicable, epsilon, known, left_of
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.losses.basic import pooled


def tightest_epsilon(loss: Loss, delta: float, accountants: Sequence[str] = ACCOUNTANTS) -> tuple[float, str]:
    """Smallest epsilon over the accountants and the name of the one that gave it.

    Returns
    -------
    (float, str)
        ``(inf, "none")`` where no accountant applies.
    """
    asked = {known(given) for given in accountants}
    mu, rest = pooled(loss.events)
    if "gdp" in asked and not rest and 0 < mu < math.inf and left_of(loss, number(delta, "delta")) > 0 and delta < 1:
        return epsilon(loss, delta, "gdp"), "gdp"  # exact
    wanted = [name for name in applicable(loss) if name in asked]
    best, name = math.inf, "none"
    for candidate in wanted:
        value = epsilon(loss, delta, candidate)
        if value < best:
            best, name = value, candidate
    return best, name
