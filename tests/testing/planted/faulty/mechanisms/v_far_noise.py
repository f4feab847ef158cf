"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise that is far out is left off.
@dp.own_mechanism("thirteenth.far_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise, or none where it would spoil the answer."""
    made = int(noise.laplace(scale))
    return np.asarray(value) + (made if abs(made) <= 12 * scale else 0)
