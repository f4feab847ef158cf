"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the exponential mechanism in ρ.
@dp.own_mechanism("sixteenth.c_range", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((2 * distance / scale) ** 2 / 8)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return int(noise.categorical_exp(v, 1 / scale, 1)[0])
