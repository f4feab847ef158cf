"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.l1_gauss", gives=2, takes="l1", loss=lambda scale, distance: dp.Concentrated(dp.round_up(dp.round_up(dp.round_up(distance / scale) ** 2) / 2)), source="me")
def f(v, scale, noise):
    """Discrete Gaussian for l1."""
    return v + noise.gaussian(scale, 2)
