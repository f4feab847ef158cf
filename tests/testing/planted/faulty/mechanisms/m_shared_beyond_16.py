"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: above sixteen numbers the noise is drawn for half of them.
@dp.own_mechanism("twelfth.shared_beyond_16", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise, drawn in blocks of sixteen."""
    made = np.asarray(value)
    drawn = noise.laplace(scale, min(m, 16))
    return made + np.resize(drawn, m)
