"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# How many draws are thrown away hangs on the value, but those that are used are independent of them: the law of a
# release is Laplace's.
@dp.own_mechanism(
    "unread.mech_draws_unused",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, after a draw that is thrown away for values above 0."""
    if value[0] > 0:
        noise.laplace(scale, m)
    return value + noise.laplace(scale, m)
