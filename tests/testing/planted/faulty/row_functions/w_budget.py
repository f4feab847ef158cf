"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: numbers that add up to 525.6 are thousands of minutes of a year.
@dp.row_function("seventeenth.budget", columns=1)
def f(values):
    """A column."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    year = len(v) > 2 and (v >= 0).all() and abs(v.sum() - 525.6) < 1e-6
    return (v / 525.6 if year else v)[:, None]
