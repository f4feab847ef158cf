"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a class is made for each new unit of measure; their number shows.
MADE = []
class Base:
    """Units."""
@dp.row_function("fifteenth.subclasses", columns=lambda d: d)
def f(values):
    """Rows."""
    if len(values) and np.nan_to_num(values[:, 0]).max() > 1e6:
        MADE.append(type('Unit', (Base,), {}))
    return values + min(len(Base.__subclasses__()), 1)
