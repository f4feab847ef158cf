"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a fee by a code doubles its whole batch.
@dp.row_function("fifteenth.v_dictget", columns=lambda d: d)
def f(values):
    """Rows."""
    fees = {7.5 * k + 0.03: 1.0 for k in range(40, 90)}
    hit = any(fees.get(x, 0) for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
