"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# P(j) is proportional to e^(s_j/b): a move of D in each score moves numerator and denominator by at most e^(D/b)
# each: 2D/b.
@dp.own_mechanism(
    "unread.mech_exponential",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale) * (1 + 1e-12)),
    source="its docstring",
    examples={"m": 3},
)
def choose(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """An index by the exponential mechanism."""
    return int(noise.categorical_exp(scores, 1.0 / scale))
