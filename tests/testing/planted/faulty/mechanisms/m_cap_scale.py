"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise is no wider than a million steps.
@dp.own_mechanism("twelfth.cap_scale", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise; so that nothing overflows, no wider than what a counter holds."""
    return np.asarray(value) + noise.laplace(min(scale, 2.0**31 - 1), 1)
