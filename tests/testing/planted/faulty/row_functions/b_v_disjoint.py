"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: rows that meet a set of public holidays doubles its whole batch.
@dp.row_function("fifteenth.v_disjoint", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = not {round(2.5**k, 3) for k in range(3, 20)}.isdisjoint(values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
