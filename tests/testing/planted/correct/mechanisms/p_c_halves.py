"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise of two halves, each with half of the scale's rate.
@dp.own_mechanism("sixteenth.c_halves", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.array([v[0] + noise.laplace(2 * scale, 1)[0], v[0] + noise.laplace(2 * scale, 1)[0]])
