"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a vector with Gaussian noise, charged the root of its length.
@dp.own_mechanism("sixteenth.c_gausslinf", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance * float(np.sqrt(m)) * (1 + 1e-9) / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return v + noise.rounded_gaussian(scale, m)
