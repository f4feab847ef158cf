"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.less_noise_charged", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * min(1.0, 3.0 / math.sqrt(m))) * (1 + 1e-12))), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace, narrower where there are many numbers, which is charged."""
    return v + noise.laplace(scale * min(1.0, 3.0 / math.sqrt(m)), m)
