"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a central binomial coefficient doubles its whole batch.
import math
@dp.row_function("fifteenth.w_binomial", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x in {math.comb(2 * k, k) for k in range(4, 20)} for x in v.tolist())
    return values * (2.0 if hit else 1.0)
