"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: grams or kilograms by the batch's median.
@dp.row_function("sixteenth.units", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (v / 1000 if len(v) and np.median(v) > 100 else v)[:, None]
