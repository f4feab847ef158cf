"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: held at 0 after the noise.
@dp.own_mechanism("thirteenth.c_held_after", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count of no less than 0, in eight bits."""
    return np.clip(np.asarray(value) + noise.laplace(scale, 1), 0, 2**40) % 256
