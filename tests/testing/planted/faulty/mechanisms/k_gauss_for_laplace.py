"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.gauss_for_laplace", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Noise of standard deviation sqrt 2 scale."""
    return v + noise.gaussian(math.sqrt(2) * scale, 1)
