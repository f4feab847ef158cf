"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a Gaussian's rho with the distance not squared.
@dp.own_mechanism("twelfth.wrong_power_loss", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / (2 * scale**2))), source="Gaussian")
def fun(value, scale, noise):
    """Gaussian noise."""
    return np.asarray(value) + noise.gaussian(scale, 1)
