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
    return dp.Pure(dp.round_up(2 * (t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.c_unary", gives=dp.Counts(5), takes="linf", source="Erlingsson, Pihur, Korolova 2014", loss=_price)
def fun(value, scale, noise):
    """A number up to 4 as five bits of which one is set, each told wrong now and then."""
    bits = np.arange(5) == int(np.clip(value[0], 0, 4))
    return np.where(noise.bernoulli_exp([_flip(scale)] * 5), ~bits, bits).astype(int)
