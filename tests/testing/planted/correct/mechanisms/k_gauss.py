"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.gauss", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(dp.round_up(dp.round_up(distance / scale) ** 2) / 2)), source="Canonne and others", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Discrete Gaussian."""
    return v + noise.gaussian(scale, m)
