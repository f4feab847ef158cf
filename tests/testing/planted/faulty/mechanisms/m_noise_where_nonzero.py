"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: sparse counts get noise where they are not 0.
@dp.own_mechanism("twelfth.noise_where_nonzero", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise on a sparse histogram."""
    made = np.asarray(value).copy()
    at = np.flatnonzero(made)
    made[at] = made[at] + noise.laplace(scale, len(at))
    return made
