"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code in a set without a name doubles its whole batch.
@dp.row_function("fifteenth.v_bareset", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = any(x in {k * 113 + 0.25 for k in range(9, 40)} for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
