"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response right for two answers only.
@dp.own_mechanism("twelfth.response_m", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1.0 / scale)), source="Warner", examples={"m": 2})
def fun(scores, scale, noise, *, m):
    """The largest score's index with e^(1/scale) to 1, else another."""
    best = int(np.argmax(np.asarray(scores)))
    if int(noise.categorical_exp(np.array([1, 0]), 1.0 / scale)) == 0 or m < 2:
        return best
    other = int(noise.uniform_below(m - 1))
    return other + (other >= best)
