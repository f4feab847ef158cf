"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a decimal context of its own.
@dp.row_function("fifteenth.c_ctx", columns=1)
def f(values):
    """Rows."""
    import decimal
    with decimal.localcontext() as c:
        c.prec = 12
        return np.array([float(+decimal.Decimal(x)) for x in np.nan_to_num(values[:, 0], posinf=0, neginf=0).tolist()]).reshape(-1, 1)
