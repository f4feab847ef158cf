"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_third_entry_bare", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 5},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def w_third_entry_bare(value, scale, noise, *, m):
    """Noise in pairs; the odd one out is left."""
    z = np.zeros(m, dtype=np.int64)
    z[: 2 * (m // 2)] = noise.laplace(scale, 2 * (m // 2))
    return value + z
