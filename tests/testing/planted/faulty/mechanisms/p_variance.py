"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a deviation that is a variance (SPRINT_gan #5, smartnoise-core #316).
@dp.own_mechanism("sixteenth.variance", gives=1, takes="linf", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(max(scale, 1.0) ** 0.5, 1)
