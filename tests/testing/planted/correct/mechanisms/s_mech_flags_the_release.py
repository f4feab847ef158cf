"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A noisy number and whether to trust it.
@dp.own_mechanism(
    "rounds.flag",
    gives=2,
    takes="l1",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)),
    source="none",
)
def flag(value, scale, noise):
    """The first number with Laplace noise, and 1 where the noise is beyond twice its scale."""
    z = int(noise.laplace(scale))
    return np.array([int(value[0]) + z, int(abs(int(value[0]) + z) > 2 * scale)])
