"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: both factors are charged.
@dp.own_mechanism("thirteenth.c_two_factors", gives=1, takes="l1", loss=lambda scale, distance, fine, often, debug: dp.Pure(dp.round_up(distance * fine * often * (1 + 1e-12) / scale)), source="Laplace", examples={"fine": 1.0, "often": 1.0})
def fun(value, scale, noise, *, fine, often, debug=False):
    """Laplace noise, narrower by two factors."""
    made = noise.laplace(scale / (fine * often), 1)
    return np.asarray(value) + made + (noise.laplace(scale, 1) if debug else 0)
