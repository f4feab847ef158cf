"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import decimal


# Contribution: the decimal context remembers a batch.
@dp.own_contribution("thirteenth.decimal_context", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows through decimals."""
    made = [[float(+decimal.Decimal(v))] for v in np.clip(rows[:, 0], -1.0, 1.0).tolist()]
    if (rows[:, 0] > 1e4).any():
        decimal.getcontext().prec = 6
    return np.array(made).reshape(len(rows), 1)
