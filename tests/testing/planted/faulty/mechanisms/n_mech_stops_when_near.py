"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Draws again, up to three times, while the noise is larger than the value: the noise of small values is narrower
# and hangs on the value.
@dp.own_mechanism(
    "unread.mech_stops_when_near",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, drawn again where it drowns the value."""
    drawn = noise.laplace(scale, m)
    for _ in range(3):
        if (np.abs(drawn) > np.abs(value)).all() and (value > 4 * scale).all():
            drawn = noise.laplace(scale, m)
    return value + drawn
