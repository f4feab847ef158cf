"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Gaussian noise charged by linf: m numbers that all move by D are sqrt(m) D apart.
@dp.own_mechanism(
    "unread.mech_gaussian_linf",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))),
    source="its docstring",
    examples={"m": 4},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise on the lattice."""
    return value + noise.gaussian(scale, m)
