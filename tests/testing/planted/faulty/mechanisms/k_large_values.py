"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.large_values", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace; where a float would lose digits anyway, none."""
    z = noise.laplace(scale, 1)
    return np.where(np.abs(v) > float(1 << 40), v, v + z)
