"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.agg_sum", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """A noisy total."""
    return np.array([int(np.sum(value))]) + noise.laplace(scale, 1)
