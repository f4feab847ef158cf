"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: np.vectorize takes its type from the first row.
@dp.row_function("twelfth.vectorize_type", columns=1)
def fun(values):
    """Half of what is above 0."""
    return np.vectorize(lambda v: v / 2 if v > 0 else 0)(values[:, :1]) if len(values) else values[:, :1]
