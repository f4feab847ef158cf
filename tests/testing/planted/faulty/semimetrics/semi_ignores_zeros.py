"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_ignores_zeros", triangle=lambda r: 1.0)
def semi_ignores_zeros(a, b):
    """Where both are there."""
    both = (a != 0) & (b != 0)
    return float(np.abs(a - b)[both].sum())
