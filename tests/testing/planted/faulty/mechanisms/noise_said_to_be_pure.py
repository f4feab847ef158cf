"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_said_to_be_pure", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_said_to_be_pure(value, scale, noise, *, m):
    """Gaussian noise."""
    return value + noise.gaussian(3 * scale, m)
