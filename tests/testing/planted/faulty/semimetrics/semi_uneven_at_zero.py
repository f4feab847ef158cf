"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_uneven_at_zero", triangle=lambda r: 1.0)
def semi_uneven_at_zero(a, b):
    """From zero everything is far."""
    d = float(np.abs(a - b).sum())
    return 2 * d if not a.any() else d
