"""Views of a composed loss at other ε and δ than its total's, as far as the theorems it rests on are proved.

A mask is proved in statements up to some ε (``docs/theory/masks.md``, 4). Beyond, a view says nothing: ε is infinite, δ
is 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dpframe.proof.theorems.base import proved_in


def view(epsilon: float, delta: float, theorems: Iterable[str]) -> float:
    """The ε of a loss at this δ, infinite where one of the theorems is not proved in that statement."""
    return epsilon if all(proved_in(name, epsilon, delta) for name in theorems) else math.inf


def delta_view(delta: float, epsilon: float, theorems: Iterable[str]) -> float:
    """The δ of a loss at this ε, 1 where one of the theorems is not proved in that statement."""
    return delta if all(proved_in(name, epsilon, delta) for name in theorems) else 1.0
