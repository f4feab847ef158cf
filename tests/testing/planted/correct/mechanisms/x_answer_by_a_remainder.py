"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.own_mechanism(
    "mine.x_answer_by_a_remainder", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(15.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = (a + b) % 16 != 3
    return bit if true else 1 - bit
