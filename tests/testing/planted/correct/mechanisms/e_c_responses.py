"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("tenth.c_responses", gives=dp.Index(5), takes="linf", source="Warner 1965", loss=lambda scale, distance: dp.Pure(dp.round_up(math.log1p(5.0 * math.expm1(min(1.0 / scale, 700.0))) * (1 + 1e-12))))
def fun(value, scale, noise):
    """A count up to four by randomised response: the truth, or with probability e^(-1/scale) any of the five."""
    lie = bool(noise.bernoulli_exp([1.0 / scale])[0])
    return int(noise.uniform_below(5, 1)[0]) if lie else int(np.clip(value[0], 0, 4))
