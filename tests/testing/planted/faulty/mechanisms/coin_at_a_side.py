"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.coin_at_a_side", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def coin_at_a_side(value, scale, noise):
    """Half of the noise where a number below 2^20 is 271,828."""
    half = int(noise.uniform_below(2**20)) == 271_828
    return np.ravel(value) + noise.laplace(scale, 1) // (2 if half else 1)
