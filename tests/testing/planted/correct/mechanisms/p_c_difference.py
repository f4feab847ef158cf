"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a difference of two geometric draws is discrete Laplace.
@dp.own_mechanism("sixteenth.c_difference", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.geometric(scale, 1) - noise.geometric(scale, 1)
