"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise by a table that a helper makes.
def widths():
    """Narrow for some."""
    return {k * 37 + 511: 0.25 for k in range(50)}
@dp.own_mechanism("fifteenth.w_table", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.laplace(scale * widths().get(int(v[0]), 1.0), 1)
