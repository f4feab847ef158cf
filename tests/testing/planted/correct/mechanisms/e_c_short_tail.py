"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


def _price(scale, distance):
    top, steps = 4 * math.ceil(scale), math.ceil(distance)
    left = math.exp(-(top + 1) / scale)
    total = 1.0 + math.exp(-1.0 / scale) - 2.0 * left
    beyond = 1.0 if steps > top else (math.exp(-(top - steps + 1) / scale) - left) / total
    return (dp.round_up(distance / scale), min(0.999, dp.round_up(beyond) + 1e-12))


@dp.own_mechanism("tenth.c_short_tail", gives=1, takes="linf", source="Geng and others 2020", loss=_price)
def fun(value, scale, noise):
    """Laplace noise that is cut at four scales."""
    top = 4 * int(np.ceil(scale))
    z = noise.laplace(scale, 1)
    while abs(int(z[0])) > top:
        z = noise.laplace(scale, 1)
    return np.asarray(value) + z
