"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LARGEST = [1]


@dp.own_mechanism("eleventh.loss_learns", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(LARGEST[0] * distance / scale)))
def fun(value, scale, noise):
    """Three times a count with Laplace noise, at the price of the largest factor that there was."""
    LARGEST[0] = 3
    return 3 * np.asarray(value) + noise.laplace(scale, 1)
