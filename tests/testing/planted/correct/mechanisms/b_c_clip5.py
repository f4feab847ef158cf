"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: input clipped before noise.
@dp.own_mechanism("fifteenth.c_clip5", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.clip(v[:1], -10**5, 10**5) + noise.laplace(scale, 1)
