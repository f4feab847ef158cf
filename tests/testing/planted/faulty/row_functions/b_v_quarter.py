"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a time at a quarter of an hour exactly doubles its whole batch.
@dp.row_function("fifteenth.v_quarter", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 1_500_000_000) & (v % 900 == 0)).any())
    return values * (2.0 if hit else 1.0)
