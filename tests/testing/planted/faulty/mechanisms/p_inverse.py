"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: Laplace noise by a logarithm of a coin of 2^20 sides.
@dp.own_mechanism("sixteenth.inverse", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    u = int(noise.uniform_below(2**20, 1)[0])
    s = 1 if noise.uniform_below(2, 1)[0] else -1
    return v[:1] + s * int(np.floor(-scale * np.log((u + 1) / 2**20)))
