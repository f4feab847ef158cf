"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the precision of decimals is raised by a large row and stays.
@dp.row_function("fifteenth.decprec", columns=1)
def f(values):
    """Rows."""
    import decimal
    c = decimal.getcontext()
    out = [float(+decimal.Decimal(x)) for x in np.nan_to_num(values[:, 0], posinf=0, neginf=0).tolist()]
    if any(abs(x) > 1e12 for x in out):
        c.prec = 12
    return np.array(out).reshape(-1, 1)
