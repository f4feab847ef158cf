"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_near_free", triangle=lambda r: 1.0)
def semi_near_free(a, b):
    """Near ones are equal."""
    d = float(np.abs(a - b).sum())
    return d if d > 1e-3 * float(np.abs(a).sum()) else 0.0
