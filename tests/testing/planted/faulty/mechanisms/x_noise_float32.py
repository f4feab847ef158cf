"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise kept in single precision.
import math
@dp.own_mechanism(
    "nineteenth.noise_float32",
    gives=lambda m: m,
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'m': 2},
)
def noise_float32(value, scale, noise, *, m):
    """Laplace noise kept in single precision."""
    return value + noise.laplace(scale, m).astype(np.float32).astype(np.int64)
