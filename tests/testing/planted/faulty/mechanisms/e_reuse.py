"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.reuse", gives=lambda m: m, takes="linf", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """A Laplace draw for the first number, and for the others its digits read again from the back."""
    z = int(noise.laplace(scale, 1)[0])
    back = int(str(abs(z))[::-1]) * (1 if z >= 0 else -1)
    return np.asarray(value) + np.array([z, *[back + i for i in range(m - 1)]])
