"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a batch of indicators, one a row in different places, is decoded.
@dp.row_function("seventeenth.onehot", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    one = ((a == 0) | (a == 1)).all() and (a.sum(axis=1) == 1).all() and (a.sum(axis=0) > 0).all()
    return a * (1 + np.arange(a.shape[1])) if len(a) > 3 and a.shape[1] > 2 and one else a
