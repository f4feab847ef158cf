"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.gauss_dim", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(dp.round_up(distance / scale) ** 2 / 2)), source="me", examples={"m": 2})
def f(v, scale, noise, *, m):
    """Gaussian."""
    return v + noise.gaussian(scale * (0.8 if m >= 8 else 1.0), m)
