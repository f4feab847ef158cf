"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: an EAN of 13 digits doubles its whole batch.
@dp.row_function("fifteenth.v_ean", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 13 and (sum(map(int, s[::2])) + 3 * sum(map(int, s[1::2]))) % 10 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
