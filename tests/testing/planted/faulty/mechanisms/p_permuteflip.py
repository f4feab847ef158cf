"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: permute and flip, charged as the exponential mechanism in ρ (opendp #2911).
@dp.own_mechanism("sixteenth.permuteflip", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((distance / scale) ** 2 / 8)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    for i in noise.permutation(len(v)):
        if noise.bernoulli_exp([float(v.max() - v[i]) / (2 * scale)])[0]:
            return int(i)
    return int(np.argmax(v))
