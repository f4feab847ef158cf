"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.narrow", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, kept in two bytes."""
    return np.asarray(value) + np.asarray(noise.laplace(scale, 1)).astype(np.int16).astype(np.int64)
