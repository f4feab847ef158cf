"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: treats square batches by another branch with the same result.
@dp.row_function("twelfth.c_square_ok", columns=lambda d: d)
def fun(values):
    """Negatives; square batches are turned twice."""
    return -(values.T.T if len(values) == values.shape[1] else values)
