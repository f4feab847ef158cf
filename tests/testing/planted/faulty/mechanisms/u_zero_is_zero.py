"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_zero_is_zero", gives=dp.Vector(4), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return np.where(value == 0, 0, value + noise.laplace(scale, len(value)))
