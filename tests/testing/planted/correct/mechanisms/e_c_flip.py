"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_flip", gives=lambda m: dp.Index(m), takes="linf", source="McKenna, Sheldon 2020", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Permute and flip."""
    x = np.asarray(value)
    gaps = [(int(x.max()) - int(v)) / scale for v in x]
    for i in noise.permutation(m):
        if noise.bernoulli_exp([gaps[i]])[0]:
            return int(i)
    return int(np.argmax(x))
