"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The same in binary digits, of the largest of seven numbers: no law is enumerated for so many.
@dp.own_mechanism("turns.bits", gives=lambda m: dp.Vector(m), takes="l2", examples={"m": 7}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(np.sqrt(m) * distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, in twenty bits."""
    drop = max(int(np.abs(value).max()).bit_length() - 20, 0)
    return ((value + noise.laplace(scale, m)) >> drop) << drop
