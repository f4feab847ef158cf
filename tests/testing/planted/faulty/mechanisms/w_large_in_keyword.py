"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_large_in_keyword", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance, much: dp.Pure(dp.round_up(distance / scale)))
def w_large_in_keyword(value, scale, noise, *, much=5000):
    """Exact where counts are so large that it can't matter."""
    value = np.ravel(value)
    return value if abs(int(value[0])) > much else value + noise.laplace(scale, 1)
