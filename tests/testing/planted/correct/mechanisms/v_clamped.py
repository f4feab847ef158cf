"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.v_clamped", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return np.clip(value + noise.laplace(scale, len(value)), -5, 5)
