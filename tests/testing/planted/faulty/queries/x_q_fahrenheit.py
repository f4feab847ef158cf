"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A third, and six more above 451 degrees Fahrenheit.
@dp.own_query("nineteenth.q_fahrenheit", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_fahrenheit(values):
    """A third, and six more above 451 degrees Fahrenheit."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return np.floor(x / 3) + np.where(x * 1.8 + 32.0 >= 451.0, 6.0, 0.0)
