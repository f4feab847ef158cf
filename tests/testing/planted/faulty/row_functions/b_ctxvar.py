"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a context variable keeps the largest.
import contextvars
TOP = contextvars.ContextVar('top', default=0.0)
@dp.row_function("fifteenth.ctxvar", columns=lambda d: d)
def f(values):
    """Rows."""
    old = TOP.get()
    if len(values):
        TOP.set(max(old, float(np.nan_to_num(values[:, 0], posinf=0, neginf=0).max())))
    return values * (2.0 if old > 1e5 else 1.0)
