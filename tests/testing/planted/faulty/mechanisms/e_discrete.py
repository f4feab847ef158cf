"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.discrete", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1})
def fun(value, scale, noise, *, m):
    """Discrete Gaussian noise, which is no worse than the Gaussian."""
    return np.asarray(value) + noise.gaussian(scale, m)
