"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.centred", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 4})
def fun(value, scale, noise, *, m):
    """Gaussian noise; what it adds to the total is spread over the numbers again."""
    z = noise.rounded_gaussian(scale, m)
    return np.asarray(value) + z - int(np.rint(z.mean()))
