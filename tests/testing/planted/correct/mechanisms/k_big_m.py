"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.big_m", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), source="me", examples={"m": 40})
def f(v, scale, noise, *, m):
    """Rounded Gaussian for many numbers."""
    return v + noise.rounded_gaussian(scale, m)
