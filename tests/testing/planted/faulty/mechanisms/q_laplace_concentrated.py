"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eleventh.laplace_concentrated", gives=1, takes="l1", source="the divergence of two Laplace laws", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / scale + math.expm1(-distance / scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated."""
    return np.asarray(value) + noise.laplace(scale, 1)
