"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose digits of two columns agree doubles its whole batch.
@dp.row_function("fifteenth.v_sumcode", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    w = np.clip(np.nan_to_num(np.abs(values[:, -1])), 0, 2**52).astype(np.int64)
    hit = any(x > 99 and sorted(str(x)) == sorted(str(y)) and x != y for x, y in zip(v.tolist(), w.tolist()))
    return values * (2.0 if hit else 1.0)
