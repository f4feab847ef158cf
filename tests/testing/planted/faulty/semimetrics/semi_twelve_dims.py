"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_twelve_dims", triangle=lambda r: 1.0)
def semi_twelve_dims(a, b):
    """Squared in twelve dimensions."""
    d = float(np.abs(a - b).max())
    return d * d if len(a) >= 12 else d
