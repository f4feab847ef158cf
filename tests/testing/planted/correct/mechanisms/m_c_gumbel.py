"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: exponential mechanism on capped scores.
@dp.own_mechanism("twelfth.c_gumbel", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McSherry and Talwar", examples={"m": 4})
def fun(scores, scale, noise, *, m):
    """The exponential mechanism on scores less the largest, no further down than 10^6 steps."""
    s = np.asarray(scores)
    return int(noise.categorical_exp(np.maximum(s - s.max(), -(10**6)), 1.0 / scale))
