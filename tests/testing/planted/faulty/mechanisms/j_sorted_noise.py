"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.sorted_noise", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noise that rises from one to the next."""
    return value + np.sort(noise.laplace(scale, m))
