"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: Ruzicka's distance of sizes.
@dp.semimetric("fifteenth.c_ruz", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    a, b = np.abs(a), np.abs(b)
    t = float(np.maximum(a, b).sum())
    return 1 - float(np.minimum(a, b).sum()) / t if t > 0 else 0.0
