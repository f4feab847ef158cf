"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# More noise for long numbers tells which they are.
@dp.own_mechanism("turns.wider", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 2}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, four times as wide for five digits."""
    wide = len(str(int(np.max(value)))) > 4
    return value + noise.laplace(scale * (4 if wide else 1), m)
