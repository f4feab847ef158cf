"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows in groups of eight by one formula, those left over by another.
@dp.own_transform("laterh26.third", columns=1)
def third(rows):
    """A third of the first column, unrolled."""
    whole = len(rows) // 8 * 8
    x = rows[:, :1]
    return np.concatenate([x[:whole] * (1.0 / 3.0), x[whole:] / 3.0])
