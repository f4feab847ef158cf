"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The noise is halved and doubled again, as if to drop its last bit: odd values stay odd.
@dp.own_mechanism("newer21.even", gives=1, takes="l1", source="Laplace",
    loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)))
def even(value, scale, noise):
    """Laplace noise without its last bit, at twice the price."""
    return value + 2 * (noise.laplace(scale, len(value)) // 2)
