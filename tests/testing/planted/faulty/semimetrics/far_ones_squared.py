"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.far_ones_squared", triangle=lambda r: 1.0)
def far_ones_squared(a, b):
    """Squared where it is far."""
    d = float(np.sqrt(((a - b) ** 2).sum()))
    return d if d < 1e7 else d * d / 1e7
