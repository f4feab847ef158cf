"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: exact sums of a row, whatever its columns.
@dp.row_function("twelfth.c_fsum", columns=1)
def fun(values):
    """Exact sums."""
    return np.array([math.fsum(row) if all(map(math.isfinite, row)) and max(map(abs, row), default=0.0) < 1e300 else math.nan for row in values.tolist()]).reshape(-1, 1)
