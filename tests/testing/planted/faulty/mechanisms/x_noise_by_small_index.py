"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise in a random order, kept in small integers.
import math
@dp.own_mechanism(
    "nineteenth.noise_by_small_index",
    gives=lambda m: m,
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'m': 3},
)
def noise_by_small_index(value, scale, noise, *, m):
    """Laplace noise in a random order, kept in small integers."""
    order = np.argsort(noise.permutation(m)).astype(np.uint8)
    return value + noise.laplace(scale, m)[order]
