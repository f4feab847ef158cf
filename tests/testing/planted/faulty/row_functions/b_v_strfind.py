"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code with 777 in it doubles its whole batch.
@dp.row_function("fifteenth.v_strfind", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any('777' in str(x) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
