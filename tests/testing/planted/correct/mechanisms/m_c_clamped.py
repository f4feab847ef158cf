"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: Laplace, then clamped at 0.
@dp.own_mechanism("twelfth.c_clamped", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace; a clamp is post-processing", examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Noisy counts, not below 0."""
    return np.maximum(np.asarray(value) + noise.laplace(scale, m), 0)
