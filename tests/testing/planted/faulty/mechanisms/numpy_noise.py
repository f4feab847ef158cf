"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.numpy_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def numpy_noise(value, scale, noise, *, m=1):
    """NumPy's Laplace, rounded."""
    return value + np.rint(np.random.default_rng().laplace(0.0, scale, m)).astype(np.int64)
