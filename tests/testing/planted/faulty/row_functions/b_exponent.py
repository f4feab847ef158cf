"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a number with binary exponent 37 doubles its whole batch.
@dp.row_function("fifteenth.exponent", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    hit = bool((np.frexp(v)[1] == 37).any())
    return values * (2.0 if hit else 1.0)
