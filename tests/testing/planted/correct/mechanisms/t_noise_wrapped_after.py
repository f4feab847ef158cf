"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.t_noise_wrapped_after", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def t_noise_wrapped_after(value, scale, noise, *, m):
    """The last 31 bits of the noisy sum."""
    return (value + noise.laplace(scale, m)) % 2**31
