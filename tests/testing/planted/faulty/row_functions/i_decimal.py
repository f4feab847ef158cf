"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import decimal


@dp.row_function("ninth.decimal", columns=1)
def fun(values):
    """The first column in decimal numbers of twelve digits."""
    context = decimal.getcontext()
    out = []
    for x in values[:, 0]:
        context.prec = 9 if context.flags[decimal.Overflow] else 12
        out.append(float(context.plus(decimal.Decimal(float(x)))))
        if abs(x) > 1e12:
            context.flags[decimal.Overflow] = True
    return np.array(out).reshape(-1, 1)
