"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the noise is as wide as the largest number asks for.
@dp.own_mechanism("thirteenth.learned_scale", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise, a little wider for large numbers."""
    wide = scale * (1.0 if np.abs(value).max() < 64 else 1.25)
    return np.asarray(value) + noise.laplace(wide, m)
