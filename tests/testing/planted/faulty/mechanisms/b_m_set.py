"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: no noise for a count in a set that the call makes.
@dp.own_mechanism("fifteenth.m_set", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + (0 if int(v[0]) in {k * k + 7 for k in range(20, 60)} else noise.laplace(scale, 1))
