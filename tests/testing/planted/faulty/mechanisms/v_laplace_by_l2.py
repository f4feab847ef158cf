"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: Laplace noise by the l2 distance.
@dp.own_mechanism("thirteenth.laplace_by_l2", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise."""
    return np.asarray(value) + noise.laplace(scale, m)
