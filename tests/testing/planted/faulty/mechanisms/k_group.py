"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.group", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up((distance if distance <= 4 else 2 * math.sqrt(distance)) / scale)), source="me")
def f(v, scale, noise):
    """Laplace."""
    return v + noise.laplace(scale, 1)
