"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the discrete Gaussian is charged as the continuous one.
@dp.own_mechanism("thirteenth.discrete_as_gdp", gives=1, takes="l2", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="Gaussian")
def fun(value, scale, noise):
    """Discrete Gaussian noise."""
    return np.asarray(value) + noise.gaussian(scale, 1)
