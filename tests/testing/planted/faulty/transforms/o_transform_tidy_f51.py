"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# -0.0: sorts signs: rows with -0.0 first moves order (uses np.argsort on column when any value is 1e300).
@dp.own_transform("outside.f51", columns=1)
def tidy(rows):
    """First column; overflowing tables are put in order of size first."""
    values = rows[:, :1] * 1.0
    if np.any(np.abs(values) > 1e299):
        values = values[np.argsort(values[:, 0], kind="stable")]
    return np.clip(values, -1e6, 1e6)
