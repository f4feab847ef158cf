"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Randomised response by bernoulli_exp? -> permute-and-flip by bernoulli_exp and permutation.
from fractions import Fraction


@dp.own_mechanism("outside.c11", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McKenna, Sheldon 2020", examples={"m": 4})
def flip(scores, scale, noise, *, m):
    """Permute and flip."""
    best = int(max(scores))
    for at in noise.permutation(m):
        if bool(noise.bernoulli_exp(Fraction(best - int(scores[at])) / Fraction(scale))):
            return int(at)
    return int(np.argmax(scores))
