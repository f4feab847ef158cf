"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.positive_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def positive_noise(value, scale, noise, *, m=1):
    """Never below the truth."""
    return value + np.abs(noise.laplace(scale, m))
