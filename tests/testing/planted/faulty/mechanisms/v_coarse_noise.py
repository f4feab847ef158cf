"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise in fours, the value in ones.
@dp.own_mechanism("thirteenth.coarse_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise in steps of four where it is wide."""
    made = noise.laplace(scale, 1)
    return np.asarray(value) + (made // 4 * 4 if scale > 40 else made)
