"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The value is rounded to tens of steps before the noise: one step may move it by ten.
@dp.own_mechanism(
    "unread.mech_round_before",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Tens, with Laplace noise."""
    return (value + 5) // 10 * 10 + noise.laplace(scale, m)
