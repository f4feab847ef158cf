"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A rounded Gaussian on whole steps is the rounding of value + Gaussian: post-processing of mu-GDP, mu = D/s.
@dp.own_mechanism(
    "unread.mech_rounded_as_gdp",
    gives=lambda m: dp.Vector(m),
    takes="l2",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise, rounded to the lattice."""
    return value + noise.rounded_gaussian(scale, m)
