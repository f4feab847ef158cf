"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the change from the row before of the same user.
@dp.row_function("sixteenth.lag", columns=1)
def f(values):
    """Rows."""
    u = np.clip(np.nan_to_num(values[:, 0]), 0, 9).astype(int)
    v = np.clip(np.nan_to_num(values[:, -1]), -1e6, 1e6)
    out = np.zeros(len(v))
    last = {}
    for i, k in enumerate(u.tolist()):
        out[i] = v[i] - last.get(k, v[i])
        last[k] = v[i]
    return out[:, None]
