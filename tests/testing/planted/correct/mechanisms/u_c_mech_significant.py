"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The digits are those of the noisy number.
@dp.own_mechanism("turns.c_significant", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 1}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, to four significant digits."""
    noisy = value + noise.laplace(scale, m)
    step = 10.0 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(noisy), 1.0))) - 3, 0)
    return (np.round(noisy / step) * step).astype(np.int64)
