"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise in l1 on m numbers costs D1/b, D1 <= m Dinf; what is made of the noisy values afterwards (tens) is
# post-processing.
@dp.own_mechanism(
    "unread.mech_round_after",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Tens of a noisy value."""
    return (value + noise.laplace(scale, m) + 5) // 10 * 10
