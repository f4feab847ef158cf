"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_on_single_precision", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_on_single_precision(value, scale, noise, *, m):
    """In single precision."""
    return np.asarray(value, dtype=np.float32).astype(np.int64) + noise.laplace(scale, m)
