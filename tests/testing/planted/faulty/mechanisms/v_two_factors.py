"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: two factors of the price, of which the larger is charged.
@dp.own_mechanism("thirteenth.two_factors", gives=1, takes="l1", loss=lambda scale, distance, fine, often: dp.Pure(dp.round_up(distance * max(fine, often) / scale)), source="Laplace", examples={"fine": 1.0, "often": 1.0})
def fun(value, scale, noise, *, fine, often):
    """Laplace noise, narrower by two factors."""
    return np.asarray(value) + noise.laplace(scale / (fine * often), 1)
