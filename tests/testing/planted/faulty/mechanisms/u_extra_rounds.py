"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_extra_rounds", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    for _ in range(min(int(abs(value[0])), 3)):
        z = z // 2 + noise.laplace(scale / 2, len(value))
    return value + z
