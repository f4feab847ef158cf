"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("tenth.palette", columns=lambda d: d)
def fun(rows):
    """Cells, where there are more than 256 different ones at the nearest of 256 of them."""
    values = np.unique(rows[np.isfinite(rows)])
    if len(values) <= 256:
        return rows + 0.0
    table = values[np.linspace(0, len(values) - 1, 256).astype(int)]
    return table[np.clip(np.searchsorted(table, rows), 0, 255)]
