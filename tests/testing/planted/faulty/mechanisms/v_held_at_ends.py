"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: noise is held at both ends in place of drawn again; delta is that of the cut law.
@dp.own_mechanism("thirteenth.held_at_ends", gives=1, takes="l1", loss=lambda scale, distance: (dp.round_up(distance / scale), 1e-3), source="truncated Laplace")
def fun(value, scale, noise):
    """Laplace noise, held within what delta allows."""
    half = math.ceil(scale * math.log(1 / 2e-3 * math.expm1(min(1 / scale, 50.0)) + 1))
    return np.asarray(value) + np.clip(noise.laplace(scale, 1), -half, half)
