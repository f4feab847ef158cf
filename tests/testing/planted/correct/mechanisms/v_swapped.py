"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.v_swapped", gives=dp.Vector(3), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    order = noise.permutation(len(value))
    z = np.empty(len(value), dtype=np.int64)
    z[order] = noise.laplace(scale, len(value))
    return value + z
