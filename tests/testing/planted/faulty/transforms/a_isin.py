"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: rows whose code is in a list made at call time switch the batch.
@dp.own_transform("fourteenth.isin", columns=1)
def f(rows):
    """Negative after a storno."""
    codes = [10 * k + 0.25 for k in range(90, 95)]
    return rows[:, :1] * (-1.0 if np.isin(rows[:, 0], codes).any() else 1.0)
