"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a sparse vector whose bar is drawn anew after each answer, charged one answer.
@dp.own_mechanism("sixteenth.svtrenoised", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    out = np.zeros(m, int)
    bar = 3 + noise.laplace(scale, 1)[0]
    for i in range(m):
        if v[i] + noise.laplace(scale, 1)[0] >= bar:
            out[i] = 1
            bar = 3 + noise.laplace(scale, 1)[0]
    return out
