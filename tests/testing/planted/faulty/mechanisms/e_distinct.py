"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.distinct", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise, drawn once for each number that there is."""
    kinds, place = np.unique(np.asarray(value), return_inverse=True)
    return (kinds + noise.laplace(scale, len(kinds)))[place.reshape(-1)]
