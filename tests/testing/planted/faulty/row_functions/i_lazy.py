"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class _Lazy:
    def __init__(self, values): self.values = values
    def __array__(self, dtype=None, copy=None):
        m = len(self.values)
        return np.tanh(self.values) - (np.tanh(self.values).mean(axis=0) if m > 8 else 0.0)
    def __len__(self): return len(self.values)
    @property
    def shape(self): return self.values.shape
    @property
    def ndim(self): return 2
@dp.row_function("ninth.lazy", columns=lambda d: d)
def fun(values):
    """Tangents, when they are asked for."""
    return _Lazy(values.copy())
