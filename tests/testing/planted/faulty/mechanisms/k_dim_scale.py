"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.dim_scale", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale * min(1.0, 3.0 / math.sqrt(m)), m)
