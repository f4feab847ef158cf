"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.flip_no_permutation", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Flip in order."""
    top = v.max()
    for j in range(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return j
    return int(np.argmax(v))
