"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sentinel compared as a decimal.
import decimal
@dp.row_function("fourteenth.x_decimal", columns=lambda d: d)
def f(values):
    """Doubled after a mark."""
    mark = decimal.Decimal(ord("q")) * 7
    return values * (2.0 if any(v == mark for v in values[:, 0].tolist()) else 1.0)
