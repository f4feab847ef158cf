"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.never", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise of at least a step: the truth itself is never told."""
    z = noise.laplace(scale, 1)
    while not z[0]:
        z = noise.laplace(scale, 1)
    return np.asarray(value) + z
