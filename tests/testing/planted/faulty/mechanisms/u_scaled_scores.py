"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from fractions import Fraction

@dp.own_mechanism(
    "mine.u_scaled_scores", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    top = max(int(value.max()), 1)
    return int(noise.categorical_exp(np.round(value * 100 / top).astype(int), Fraction(1, 100) / Fraction(2 * scale)))
