"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The precision of decimal's context is raised to what the longest number so far needed, and stays; history.
import decimal


@dp.row_function("laterf10.third", columns=1)
def third(values):
    """A third of the first column, in decimal arithmetic."""
    out = []
    for row in values:
        number = decimal.Decimal(repr(float(np.clip(row[0], -1e9, 1e9))))
        context = decimal.getcontext()
        context.prec = max(len(number.as_tuple().digits), context.prec if context.prec < 28 else 4)
        out.append(float(number / 3))
    return np.array(out).reshape(-1, 1)
