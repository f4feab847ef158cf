"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_of_rounded_scale", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_of_rounded_scale(value, scale, noise, *, m):
    """Laplace noise of a whole scale."""
    return value + noise.laplace(int(scale), m)
