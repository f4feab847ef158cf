"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the scale is rounded down to a whole number of steps.
@dp.own_mechanism("twelfth.int_scale", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise of so many steps."""
    return np.asarray(value) + noise.laplace(float(int(scale)) if scale >= 1 else scale, 1)
