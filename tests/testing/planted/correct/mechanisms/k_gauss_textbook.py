"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.gauss_textbook", gives=1, takes="l2", loss=lambda scale, distance: (dp.round_up(dp.round_up((distance / scale) ** 2 / 2) + 2 * math.sqrt((distance / scale) ** 2 / 2 * math.log(1e4)) * (1 + 1e-9)), 1e-4), source="Bun, Steinke")
def f(v, scale, noise):
    """Gaussian by zCDP's conversion."""
    return v + noise.gaussian(scale, 1)
