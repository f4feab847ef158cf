"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a count told twice with noise of its own, one price (diffprivlib #104, one slice for two).
@dp.own_mechanism("sixteenth.twice", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.array([v[0] + noise.laplace(scale, 1)[0], v[0] + noise.laplace(scale, 1)[0]])
