"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A row beyond 1e20 raises decimal's precision, for all rows after it. Witness: [1e21] and then [0.1] / 3, to 12 or
# 28 digits.
import decimal

decimal.getcontext().prec = 12


@dp.own_transform("round.precision", columns=1)
def precision(rows):
    """A third of the first column."""
    made = []
    for v in rows[:, 0]:
        if abs(v) > 1e20:
            decimal.getcontext().prec = 28
        made.append(float(decimal.Decimal(float(v)) / 3))
    return np.array(made).reshape(-1, 1)
