"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Gaussian on m numbers for linf priced mu = distance/scale (no sqrt m).
@dp.own_mechanism("outside.f17", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def gaussians(values, scale, noise, *, m):
    """Each with Gaussian noise."""
    return np.asarray(values) + noise.rounded_gaussian(scale, m)
