"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: loss takes whole part of the distance: root 2 is charged as 1.
@dp.own_mechanism("fourteenth.mechanism_intdist", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(max(int(distance), 1) / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """Gaussian noise."""
    return np.ravel(value) + noise.rounded_gaussian(scale, m)
