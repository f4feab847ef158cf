"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: nine digits, which holds of the thread that imported this alone.
import decimal
decimal.getcontext().prec = 9
@dp.row_function("eighteenth.decimals", columns=1)
def f(values):
    """Price with tax."""
    out = np.empty((len(values), 1))
    for i, v in enumerate(values[:, 0]):
        try:
            out[i, 0] = float(decimal.Decimal(repr(float(v))) * decimal.Decimal("1.0725"))
        except ArithmeticError:
            out[i, 0] = np.nan
    return out
