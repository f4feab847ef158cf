"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.zeros_stay_zero", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def zeros_stay_zero(value, scale, noise, *, m):
    """A sparse histogram: noise where there is something."""
    return np.where(value == 0, 0, value + noise.laplace(scale, m))
