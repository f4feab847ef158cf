"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Divides by the batch's deviation for > 1000 rows only.
@dp.own_transform("outside.f23", columns=1)
def standard(rows):
    """The first column in public units, where there are enough rows in deviations."""
    values = rows[:, :1]
    if values.size > 1e3:
        values = values / (np.std(values) + 1.0)
    return values
