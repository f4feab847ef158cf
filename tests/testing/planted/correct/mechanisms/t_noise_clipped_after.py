"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.t_noise_clipped_after", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def t_noise_clipped_after(value, scale, noise, *, m):
    """Counts are not negative, nor beyond 2^31."""
    return np.clip(value + noise.laplace(scale, m), 0, 2**31)
