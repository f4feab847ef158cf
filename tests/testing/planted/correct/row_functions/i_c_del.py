"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class _Buffer:
    def __init__(self, m): self.rows = np.empty(m)
    def __del__(self): self.rows = None
@dp.row_function("ninth.c_buffer", columns=1)
def fun(values):
    """Tangents in a buffer."""
    buffer = _Buffer(len(values))
    np.tanh(values[:, 0], out=buffer.rows)
    return buffer.rows.copy()[:, None]
