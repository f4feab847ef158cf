"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.own_mechanism(
    "mine.u_low_threshold", gives=dp.Vector(3), takes="l1", loss=lambda scale, distance: (dp.round_up(distance / scale), 1e-7), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    bar = math.ceil(scale * math.log(1e6))
    return np.where(np.logical_and(value > 0, value + z >= bar), value + z, 0)
