"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eleventh.c_rounded_price", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(math.ceil(100 * dp.round_up(distance / scale)) / 100)))
def fun(value, scale, noise):
    """Laplace noise, at a price in hundredths, rounded up."""
    return np.asarray(value) + noise.laplace(scale, 1)
