"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Entries with more and more noise, charged as the first.
@dp.own_mechanism("newerc11.uneven", gives=lambda m: m, takes="l1", source="Laplace of the least scale", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def uneven(values, scale, noise, *, m):
    """Laplace noise whose scale grows from entry to entry."""
    made = [int(values[i]) + int(np.ravel(noise.laplace(scale * (1 + 0.25 * i), 1))[0]) for i in range(m)]
    return np.array(made, dtype=np.int64)
