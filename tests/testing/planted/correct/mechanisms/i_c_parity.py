"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.c_parity", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, drawn in one of two ways."""
    x = int(np.ravel(value)[0])
    z = int(noise.laplace(scale)) if x % 2 else int(noise.geometric(scale)[0]) - int(noise.geometric(scale)[0])
    return np.array([x + z])
