"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import decimal


@dp.own_transform("tenth.decimal", columns=1)
def fun(rows):
    """Rows written with as many digits as the longest needed so far."""
    out = []
    for x in rows[:, 0].tolist():
        context = decimal.getcontext()
        if np.isfinite(x):
            context.prec = min(max(context.prec, 3 + len(str(int(abs(x))))), 40)
        out.append(float(+decimal.Decimal(x)) if np.isfinite(x) else 0.0)
    return np.array(out).reshape(-1, 1)


decimal.getcontext().prec = 4
