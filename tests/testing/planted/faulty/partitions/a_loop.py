"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: a loop over rows in Python stops at a code that is made by arithmetic.
@dp.own_partition("fourteenth.loop", parts=2)
def f(rows):
    """Part 1 after a divider row."""
    part, out = 0, []
    for r in rows:
        if r[0] == int("9" * 4) - 0.5:
            part = 1
        out.append(part)
    return np.array(out, dtype=int)
