"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_for_one_of_many", gives=dp.Counts, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_for_one_of_many(value, scale, noise, *, m):
    """Laplace noise for entries that all move."""
    return value + noise.laplace(scale, m)
