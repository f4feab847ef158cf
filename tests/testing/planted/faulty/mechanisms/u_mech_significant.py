"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rounded to four digits, which are those of the value: a multiple of 10 tells that it is at least 10^4.
@dp.own_mechanism("turns.significant", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 1}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, to four significant digits."""
    step = 10.0 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(value), 1.0))) - 3, 0)
    return (np.round((value + noise.laplace(scale, m)) / step) * step).astype(np.int64)
