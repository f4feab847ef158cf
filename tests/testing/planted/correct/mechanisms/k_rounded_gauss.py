"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.rounded_gauss", gives=1, takes="l2", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Rounded Gaussian."""
    return v + noise.rounded_gaussian(scale, 1)
