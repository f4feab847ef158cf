"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_max_agg", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """The largest, with noise."""
    return np.max(value) + noise.laplace(scale, 1)
