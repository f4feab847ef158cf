"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Beyond 2^40 steps the noise is half as wide, 'so that floats hold it': there the loss is 2D/b.
@dp.own_mechanism(
    "unread.mech_large_values",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 2},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise."""
    wide = noise.laplace(scale, m)
    narrow = noise.laplace(max(scale / 2, 0.5), m)
    return value + np.where(np.abs(value) > 2**40, narrow, wide)
