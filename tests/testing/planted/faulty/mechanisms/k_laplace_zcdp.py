"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.laplace_zcdp", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(dp.round_up(distance / scale) ** 2 / 2)), source="me")
def f(v, scale, noise):
    """Laplace of standard deviation scale."""
    return v + noise.laplace(scale / math.sqrt(2), 1)
