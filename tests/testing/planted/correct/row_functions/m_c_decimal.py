"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: rounds half even in decimal, in a context of its own.
import decimal
@dp.row_function("twelfth.c_decimal", columns=1)
def fun(values):
    """Cents."""
    out = []
    with decimal.localcontext(decimal.Context(prec=50)):
        for v in values[:, 0].tolist():
            out.append(float(round(decimal.Decimal(v), 2)) if abs(v) < 1e15 else v)
    return np.array(out).reshape(-1, 1)
