"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a noisy count held within 0..1000.
@dp.own_mechanism("sixteenth.c_clamped", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.clip(v[:1] + noise.laplace(scale, 1), 0, 1000)
