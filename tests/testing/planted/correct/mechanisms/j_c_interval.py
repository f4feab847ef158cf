"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_interval", gives=2, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Both ends of an interval about a noisy total."""
    mid = int(np.sum(value)) + int(noise.laplace(scale))
    return np.array([mid - 3, mid + 3])
