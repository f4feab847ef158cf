"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.bare_when_large", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def bare_when_large(value, scale, noise, *, m=1):
    """No noise where it would not matter."""
    drawn = noise.laplace(scale, m)
    return value + np.where(np.abs(value) > 700, 0, drawn)
