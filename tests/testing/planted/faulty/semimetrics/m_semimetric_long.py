"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: not symmetric from twelve numbers on.
@dp.semimetric("twelfth.semimetric_long", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, relative to the first for long vectors."""
    gap = float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
    return gap if len(a) < 12 else gap / (1.0 + float(np.abs(np.asarray(a)).max()))
