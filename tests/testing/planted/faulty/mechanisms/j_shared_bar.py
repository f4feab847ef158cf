"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.shared_bar", gives=1, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """How many numbers are above a noisy bar."""
    bar = 10 + int(noise.laplace(scale, 1)[0])
    return np.array([int((np.asarray(value) > bar).sum())])
