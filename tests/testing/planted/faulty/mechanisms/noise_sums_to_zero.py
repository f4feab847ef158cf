"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_sums_to_zero", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_sums_to_zero(value, scale, noise, *, m):
    """The last entry's noise makes the sum exact."""
    drawn = noise.laplace(scale, m)
    drawn[-1] = -drawn[:-1].sum()
    return value + drawn
