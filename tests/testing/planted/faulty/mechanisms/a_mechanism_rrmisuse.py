"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response: flips with probability e^-x, x = 1/scale, said to cost x: below x = .48 it costs more.
import math
@dp.own_mechanism("fourteenth.mechanism_rrmisuse", gives=dp.Index(2), takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(math.ceil(distance) / scale)), source="none")
def f(value, scale, noise):
    """A bit, flipped."""
    bit = int(np.ravel(value)[0] > 0)
    return bit ^ int(np.ravel(noise.bernoulli_exp(np.array([1.0 / scale])))[0])
