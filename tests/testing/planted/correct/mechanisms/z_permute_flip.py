"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Permute-and-flip written out with coins and a random order.
@dp.own_mechanism("laterc14.flip", gives=dp.Index, takes="linf", source="McKenna and Sheldon 2020", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def flip(scores, scale, noise, *, m):
    """Coins in random order; the first head wins."""
    top = int(np.max(scores))
    for i in noise.permutation(len(scores)):
        if bool(np.ravel(noise.bernoulli_exp(np.array([(top - int(scores[i])) / scale])))[0]):
            return int(i)
    return 0
