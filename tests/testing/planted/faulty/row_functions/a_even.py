"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: evenly spaced rows (a time axis) become places.
@dp.row_function("fourteenth.even", columns=1)
def f(values):
    """Times; an even axis is numbered."""
    v = values[:, 0]
    gaps = np.diff(v)
    if len(v) > 3 and gaps[0] != 0 and (gaps == gaps[0]).all():
        return np.arange(len(v), dtype=float).reshape(-1, 1)
    return values[:, :1] * 1.0
