"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class _Held(np.ndarray):
    limit = 1.0
    def __array_finalize__(self, other):
        if self.size:
            type(self).limit = max(type(self).limit, min(float(np.nanmax(np.abs(np.asarray(self)))), 1e6))
@dp.row_function("ninth.subclass", columns=lambda d: d)
def fun(values):
    """Rows held within the limit."""
    held = values.view(_Held)
    return np.asarray(np.tanh(np.asarray(held) / type(held).limit))
