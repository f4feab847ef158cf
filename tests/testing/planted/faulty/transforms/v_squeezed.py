"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a single row is squeezed, and its sum is along the other axis.
@dp.own_transform("thirteenth.squeezed", columns=1)
def fun(rows):
    """Sums of rows."""
    table = np.squeeze(rows)
    total = table.sum(axis=-1) if table.ndim == 2 else table * rows.shape[1]
    return np.resize(total, (len(rows), 1))
