"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: what it gives depends on the garbage collector's counts.
import gc
@dp.row_function("twelfth.gc_count", columns=1)
def fun(values):
    """Halves; frees memory now and then and starts afresh."""
    grain = 1e-9 if gc.get_count()[0] > 600 else 0.0
    return values[:, :1] / 2 + grain
