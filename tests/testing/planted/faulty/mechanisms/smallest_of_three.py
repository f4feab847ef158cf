"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.smallest_of_three", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def smallest_of_three(value, scale, noise, *, m=1):
    """The middle of three draws."""
    return value + np.median(noise.laplace(scale, (3, m)), axis=0).astype(np.int64)
