"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the noise is given the variance of its rounding, too.
@dp.own_mechanism("twelfth.twelfth", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance**2 / (2 * (scale**2 + 1 / 12)))), source="Gaussian")
def fun(value, scale, noise):
    """Gaussian noise, rounded."""
    return np.asarray(value) + noise.gaussian(scale, 1)
