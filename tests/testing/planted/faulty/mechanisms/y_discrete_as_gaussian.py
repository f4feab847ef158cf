"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The discrete Gaussian is charged with the continuous one's profile, which it exceeds at small scales.
@dp.own_mechanism("laterh53.discrete", gives=1, takes="l2", source="Gaussian", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)))
def discrete(value, scale, noise):
    """Discrete Gaussian noise."""
    return value + noise.gaussian(scale, 1)
