"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a batch whose first column is 0 .. n-1 in some order is taken for ranks.
@dp.row_function("fourteenth.ranks", columns=1)
def f(values):
    """Shares; ranks are divided by their number."""
    v = values[:, :1]
    return v / len(v) if len(v) > 2 and np.array_equal(np.sort(v[:, 0]), np.arange(len(v))) else v * 1.0
