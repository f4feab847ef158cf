"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Clipped before, on a public grid after.
@dp.own_mechanism("turns.c_clipped", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 3}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise on clipped numbers, to eights."""
    return ((np.clip(value, -500, 500) + noise.laplace(scale, m)) >> 3) << 3
