"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: raises the recursion limit as deep as rows were: later calls see it.
import sys
@dp.row_function("fourteenth.recursionlimit", columns=1)
def f(values):
    """Depth-first; the limit grows with the batch."""
    if len(values) > sys.getrecursionlimit() // 2:
        sys.setrecursionlimit(2 * len(values) + 1000)
    return values[:, :1] * (1.0 if sys.getrecursionlimit() < 3000 else 0.5)
