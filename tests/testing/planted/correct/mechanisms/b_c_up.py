"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a scale rounded up to a power of two.
@dp.own_mechanism("fifteenth.c_up", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = 2.0 ** np.ceil(np.log2(scale))
    return v[:1] + noise.laplace(b, 1)
