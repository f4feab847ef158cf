"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


DRAWN = {}

@dp.own_mechanism("mine.memoised_noise", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def memoised_noise(value, scale, noise, *, m=1):
    """Draws once for each scale."""
    if (scale, m) not in DRAWN:
        DRAWN[scale, m] = noise.laplace(scale, m)
    return value + DRAWN[scale, m]
