"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: difference of two geometrics is discrete Laplace.
@dp.own_mechanism("fourteenth.c_twogeom", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Laplace noise by two geometric draws."""
    a, b = noise.geometric(scale, 2)
    return np.ravel(value)[:1] + int(a) - int(b)
