"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rounded at random to every eighth step after the noise: the release is made of what is private already.
@dp.own_mechanism("newerc10.dithered", gives=1, takes="l1", source="Laplace, and then something random",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def dithered(value, scale, noise):
    """Laplace noise, then a coarse grid, reached at random."""
    made = value + noise.laplace(scale, len(value))
    return (made // 8 + (noise.uniform_below(8, len(value)) < made % 8)) * 8
