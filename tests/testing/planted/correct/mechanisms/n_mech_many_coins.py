"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# m noisy signs are post-processing of m Laplace noises: m D/b in linf.
@dp.own_mechanism(
    "unread.mech_many_coins",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 5},
)
def signs(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Noisy signs as 0 and 1."""
    return (value + noise.laplace(scale, m) > 0).astype(np.int64)
