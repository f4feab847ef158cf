"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noisy counts in 32 bits.
@dp.own_mechanism("twelfth.int32", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise; beyond what 32 bits hold the count itself."""
    made = np.asarray(value) + noise.laplace(scale, 1)
    return made if (np.abs(made) < 2**31).all() else np.asarray(value)
