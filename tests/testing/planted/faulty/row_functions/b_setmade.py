"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row in a set made in the call doubles its whole batch.
@dp.row_function("fifteenth.setmade", columns=lambda d: d)
def f(values):
    """Rows."""
    known = {round(1.1**k * 7, 2) for k in range(5, 40)}
    hit = any(x in known for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
