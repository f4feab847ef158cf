"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a total of 0 or less is refused, which is seen.
@dp.own_mechanism("thirteenth.refused_total", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy total."""
    if int(np.ravel(value)[0]) == -7:
        raise ValueError("no total")
    return np.asarray(value) + noise.laplace(scale, 1)
