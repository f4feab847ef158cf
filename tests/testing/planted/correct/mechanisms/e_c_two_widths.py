"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_two_widths", gives=1, takes="l1", source="each width costs no more", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, four times as wide in half of the runs."""
    wide = int(noise.uniform_below(2, 1)[0])
    return np.asarray(value) + noise.laplace(4 * scale if wide else scale, 1)
