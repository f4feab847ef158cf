"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


def _flip(scale):
    return math.log(2.0) + 1.0 / scale


def _price(scale, distance):
    t = _flip(scale)
    return dp.BoundedRange(dp.round_up(2 * (t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.c_bounded_range", gives=dp.Index(2), takes="linf", source="Warner 1965", loss=_price)
def fun(value, scale, noise):
    """Whether a number is positive, by randomised response."""
    return int((int(np.asarray(value)[0]) > 0) != bool(noise.bernoulli_exp([_flip(scale)])[0]))
