"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


def _price(scale, distance):
    return (dp.round_up(distance / scale), dp.round_up(0.5 * math.exp(-12.0)))
@dp.own_mechanism("ninth.cut", gives=1, takes="linf", source="none", loss=_price)
def fun(value, scale, noise):
    """Laplace noise of at most twelve scales."""
    z = int(np.ravel(noise.laplace(scale, 1))[0])
    while abs(z) > 12 * scale:
        z = int(np.ravel(noise.laplace(scale, 1))[0])
    return np.asarray(value) + z
