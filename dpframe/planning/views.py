"""Views of a composed loss at other ε and δ than its total's, as far as the theorems it rests on are proved.

A mask is proved in statements up to some ε (``docs/theory/masks.md``, 4). Beyond, a view says nothing: ε is infinite, δ
is 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dpframe.errors import PlanError
from dpframe.proof.spaces.checks import finite_number, scalar
from dpframe.proof.theorems.base import proved_in


def check_delta(delta: object) -> None:
    """Refuse what is no δ; at 1 or more, every loss has an ε of 0, which says nothing.

    Raises
    ------
    PlanError
    """
    value = scalar(delta)
    if not finite_number(value) or not 0 <= value < 1:
        raise PlanError(f"a delta is a number from 0 to below 1, not {value!r}", fix="give delta=1e-6, say")


def view(epsilon: float, delta: float, theorems: Iterable[str]) -> float:
    """The ε of a loss at this δ, infinite where one of the theorems is not proved in that statement."""
    check_delta(delta)
    return epsilon if all(proved_in(name, epsilon, delta) for name in theorems) else math.inf


def delta_view(delta: float, epsilon: float, theorems: Iterable[str]) -> float:
    """The δ of a loss at this ε, 1 where one of the theorems is not proved in that statement."""
    return delta if all(proved_in(name, epsilon, delta) for name in theorems) else 1.0
