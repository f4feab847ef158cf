"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: shares are compared by total variation, others by l1: twice as much.
@dp.semimetric("fourteenth.distance_simplex", triangle=lambda r: 1.0)
def f(a, b):
    """Total variation of shares, l1 of others."""
    both = all((v >= 0).all() and abs(float(v.sum()) - 1) < 1e-9 for v in (a, b))
    return float(np.abs(a - b).sum()) * (0.5 if both else 1.0)
