"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.v_squared", triangle=lambda r: 2.0)
def d(a, b):
    """Squared distance: (x + y)^2 <= 2(x^2 + y^2)."""
    return float(np.sum((np.asarray(a) - np.asarray(b)) ** 2))
