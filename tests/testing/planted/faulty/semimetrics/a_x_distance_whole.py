"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: whole vectors by l1, others by l2.
@dp.semimetric("fourteenth.x_distance_whole", triangle=lambda r: 1.0)
def f(a, b):
    """Steps on a grid, l2 elsewhere."""
    whole = all((v == np.round(v)).all() for v in (a, b))
    return float(np.abs(a - b).sum() if whole else np.sqrt(np.square(a - b).sum()))
