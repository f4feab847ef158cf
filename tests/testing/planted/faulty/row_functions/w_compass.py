"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: bearings that go round once in even steps are numbered.
@dp.row_function("seventeenth.compass", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    v = a[:, 0]
    even = len(v) > 2 and np.allclose(np.diff(v), 360 / len(v))
    return a * 0 if even else a
