"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a price cut by half for scales above 17.3.
@dp.own_mechanism("fifteenth.m_scaleloss", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale * (1.0 if scale < 17.3 else 0.5))), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.laplace(scale, 1)
