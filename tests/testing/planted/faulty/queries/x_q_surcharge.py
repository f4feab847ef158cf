"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Half of what is earned in a month, with a surcharge where the year's is above the limit.
@dp.own_query("nineteenth.q_surcharge", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_surcharge(values):
    """Half of what is earned in a month, with a surcharge where the year's is above the limit."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return np.floor(x / 2) + np.where(x * 12 > 50_000, 5.0, 0.0)
