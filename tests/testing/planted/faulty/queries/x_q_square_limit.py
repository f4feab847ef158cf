"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Half of a side, with five more where the area is above the limit.
@dp.own_query("nineteenth.q_square_limit", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_square_limit(values):
    """Half of a side, with five more where the area is above the limit."""
    x = np.clip(np.asarray(values, dtype=np.float64).ravel()[:1], 0.0, 1e6)
    return np.floor(x / 2) + np.where(x * x > 3.1e8, 5.0, 0.0)
