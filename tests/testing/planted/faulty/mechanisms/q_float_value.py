"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.float_value", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise on a count as a float."""
    return np.array([int(float(value[0])) + int(noise.laplace(scale, 1)[0])], dtype=object)
