"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise redrawn until within w = 12 b. Missing is the mass of the last D steps, (e^(D/b) - 1) times the
# tail that is claimed: too little where D/b > ln 2.
import math


@dp.own_mechanism(
    "unread.mech_truncated_tail",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: (dp.round_up(distance / scale), 0.5 * math.exp(-12.0)),
    source="its docstring",
    examples={"m": 1},
)
def within(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise that is never beyond twelve widths."""
    drawn = noise.laplace(scale, m)
    while (np.abs(drawn) > 12 * scale).any():
        drawn = noise.laplace(scale, m)
    return value + drawn
