"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.t_noise_wide", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def t_noise_wide(value, scale, noise, *, m):
    """Three times the noise that is charged."""
    return value + noise.laplace(3 * scale, m)
