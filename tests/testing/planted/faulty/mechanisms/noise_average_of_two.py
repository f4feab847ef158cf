"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_average_of_two", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_average_of_two(value, scale, noise, *, m):
    """The mean of two draws."""
    return value + (noise.laplace(scale, m) + noise.laplace(scale, m)) // 2
