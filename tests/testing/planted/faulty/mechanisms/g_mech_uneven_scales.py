"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Later entries get more noise, the first ones less, charged as the average.
@dp.own_mechanism("newer22.uneven", gives=lambda m: m, takes="l1", source="the mean scale is the scale", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def uneven(values, scale, noise, *, m):
    """Laplace noise whose scale grows from entry to entry."""
    made = [int(values[i]) + int(np.ravel(noise.laplace(scale * (0.7 + 0.6 * i / (m - 1)), 1))[0]) for i in range(m)]
    return np.array(made, dtype=np.int64)
