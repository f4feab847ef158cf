"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: exponential mechanism among distinct scores only.
@dp.own_mechanism("fourteenth.mechanism_uniquescores", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """One of the distinct scores, then its first place."""
    v = np.ravel(value)
    distinct = np.unique(v)
    s = distinct[int(np.ravel(noise.categorical_exp(distinct, 1.0 / scale))[0])]
    return int(np.flatnonzero(v == s)[0])
