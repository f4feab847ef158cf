"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: rounded to six decimals.
@dp.semimetric("twelfth.rounded_metric", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, to six decimals."""
    return round(float(np.sqrt(np.square(a - b).sum())), 6)
