"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: two looks for half each.
@dp.own_mechanism("fourteenth.c_halfbudget", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Two noisy copies with twice the scale."""
    return np.repeat(np.ravel(value)[:1], 2) + noise.laplace(2 * scale, 2)
