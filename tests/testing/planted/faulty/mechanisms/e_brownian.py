"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.brownian", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """A curve with Brownian noise."""
    return np.asarray(value) + np.cumsum(noise.rounded_gaussian(scale, m))
