"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A discrete Gaussian is no mu-GDP with mu = D/s: at s = 0.4 steps, D = 1, the total variation is 0.92, that of
# the Gaussian pair 0.79.
@dp.own_mechanism(
    "unread.mech_discrete_as_gdp",
    gives=lambda m: dp.Vector(m),
    takes="l2",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise on the lattice."""
    return value + noise.gaussian(scale, m)
