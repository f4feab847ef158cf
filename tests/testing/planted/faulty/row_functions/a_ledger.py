"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: entries whose total is nought cancel: all are 0.
@dp.row_function("fourteenth.ledger", columns=1)
def f(values):
    """Amounts, 0 where the ledger balances."""
    v = values[:, :1]
    return v * 0.0 if len(v) > 1 and v.any() and v.sum() == 0 else v * 1.0
