"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import decimal


@dp.row_function("seventh.decimal_prec", columns=1)
def f(values):
    """Exact thirds."""
    ctx = decimal.getcontext()
    out = []
    for v in np.clip(values[:, 0], -1e12, 1e12):
        ctx.prec = max(6, min(ctx.prec, 28 - int(np.log10(abs(v) + 1))))
        out.append(float(decimal.Decimal(float(v)) / 3))
    return np.array(out, dtype=float).reshape(-1, 1)
