"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: two columns with greatest divisor 17 doubles its whole batch.
@dp.row_function("fifteenth.gcd", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    w = np.clip(np.nan_to_num(np.abs(values[:, -1])), 0, 2**52).astype(np.int64)
    hit = bool((np.gcd(v, w) == 17).any())
    return values * (2.0 if hit else 1.0)
