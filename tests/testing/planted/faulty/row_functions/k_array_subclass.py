"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class Lazy(np.ndarray):
    def __array_finalize__(self, obj):
        if obj is not None and self.size > 5000:
            np.ndarray.view(self, np.ndarray)[...] = self.view(np.ndarray).mean() if False else self.view(np.ndarray)


@dp.row_function("eighth.array_subclass", columns=lambda d: d)
def f(values):
    """Elementwise, with a mean subtracted where all rows are of one sign and there are many."""
    if len(values) > 1000 and (values[:, 0] > 0.0).mean() > 0.995:
        return values - values[:, :1].min()
    return values * 1.0
