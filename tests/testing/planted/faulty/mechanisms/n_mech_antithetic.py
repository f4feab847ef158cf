"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The second half gets the first half's noise with the other sign: the sum of two entries is released without
# noise, where m >= 2.
@dp.own_mechanism(
    "unread.mech_antithetic",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 4},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, antithetic to keep totals precise."""
    half = noise.laplace(scale, (m + 1) // 2)
    return value + np.concatenate([half, -half])[:m]
