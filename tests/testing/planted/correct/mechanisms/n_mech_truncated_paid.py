"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The same with its delta: P(Z > w - D) <= e^(-(w - D)/b), over a normaliser of at least 1 - 2e^(-12).
import math


@dp.own_mechanism(
    "unread.mech_truncated_paid",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: (
        dp.round_up(distance / scale),
        min(1.0, math.exp(min(distance / scale, 20.0) - 12.0 + 1.0) / (1 - 2 * math.exp(-12.0))),
    ),
    source="its docstring",
    examples={"m": 1},
)
def within(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise that is never beyond twelve widths."""
    drawn = noise.laplace(scale, m)
    while (np.abs(drawn) > 12 * scale).any():
        drawn = noise.laplace(scale, m)
    return value + drawn
