"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: ρ with a distance that is not squared (Private_kNN #3).
@dp.own_mechanism("sixteenth.rhonosquare", gives=1, takes="linf", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / (2 * scale**2))), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(scale, 1)
