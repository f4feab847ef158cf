"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Randomised response of the commonest.
import math


@dp.own_mechanism(
    "rounds.response", gives=dp.Index, takes="linf", source="Warner 1965", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(m + 1))),
)
def response(value, scale, noise, *, m):
    """The index of the largest with probability 1/2, any otherwise."""
    if int(noise.uniform_below(2)) == 0:
        return int(np.argmax(value))
    return int(noise.uniform_below(m))
