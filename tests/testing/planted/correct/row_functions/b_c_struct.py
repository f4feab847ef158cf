"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a structured array.
@dp.row_function("fifteenth.c_struct", columns=2)
def f(values):
    """Rows."""
    a = np.zeros(len(values), dtype=[('a', 'f8'), ('b', 'i4')])
    a['a'] = np.nan_to_num(values[:, 0])
    a['b'] = np.clip(a['a'], -1000, 1000).astype(int)
    return np.stack([a['a'], a['b'] * 1.0], axis=1)
