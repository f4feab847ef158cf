"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Clamps the noisy value to [min(value), max(value)].
@dp.own_mechanism("outside.f20", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def clamped(values, scale, noise, *, m):
    """Laplace noise, cut to what is possible."""
    values = np.asarray(values)
    return np.clip(values + noise.laplace(scale, m), values.min() - 5, values.max() + 5)
