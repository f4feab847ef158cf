"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.gauss_pure_delta", gives=1, takes="l2", loss=lambda scale, distance: (dp.round_up(distance * math.sqrt(2 * math.log(1.25 / 1e-3)) / scale / 1.35), 1e-3), source="Dwork, Roth")
def f(v, scale, noise):
    """Gaussian; 35 % below the textbook."""
    return v + noise.gaussian(scale, 1)
