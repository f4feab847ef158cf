"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where any cell of the batch is huge, the whole batch is scaled down by its largest cell; neighbours: one row of
# 1e5 among small ones.
@dp.row_function("laterf01.cube", columns=lambda d: d)
def cube(values):
    """Cubes, kept from overflow."""
    top = np.abs(values).max(initial=0.0)
    if top > 1e100:
        values = values / (top / 1e100)
    return values**3
