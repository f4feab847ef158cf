"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row with a Pythagorean triple doubles its whole batch.
@dp.row_function("fifteenth.pyth", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] >= 3 and bool(((a[:, 0] > 0) & (a[:, 1] > 0) & (a[:, 0] ** 2 + a[:, 1] ** 2 == a[:, 2] ** 2)).any())
    return values * (2.0 if hit else 1.0)
