"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.flip_monotone", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Permute and flip."""
    top = v.max()
    for j in noise.permutation(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return int(j)
    return int(np.argmax(v))
