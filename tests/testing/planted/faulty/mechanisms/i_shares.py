"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.shares", gives=2, takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two numbers, each with its part of the budget."""
    return np.asarray(value) + np.array([int(noise.laplace(scale / 0.5)), int(noise.laplace(scale / 0.6))])
