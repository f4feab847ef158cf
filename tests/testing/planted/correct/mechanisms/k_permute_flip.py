"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.permute_flip", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale * (1 + 1e-12))), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Permute and flip."""
    top = v.max()
    for j in noise.permutation(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return int(j)
    return int(np.argmax(v))
