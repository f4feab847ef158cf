"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a quarter of the noise at dates.
@dp.own_mechanism("fifteenth.w_date", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = scale / 4 if 20000101 <= int(v[0]) <= 20301231 and 1 <= int(v[0]) // 100 % 100 <= 12 else scale
    return v[:1] + noise.laplace(b, 1)
