"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the scale is that of all rows it is asked about.
@dp.semimetric("thirteenth.many_row_scale", triangle=lambda r: 1.0 + 1e-9, many=True)
def fun(a, rows):
    """Euclid, kept from overflow by a common scale."""
    gap = rows - a
    scale = max(float(np.abs(gap).max()) if gap.size else 0.0, 1e-12)
    step = 2.0**-12
    return np.sqrt(np.square(np.round(gap / scale / step) * step).sum(axis=1)) * scale
