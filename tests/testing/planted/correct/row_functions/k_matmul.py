"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("eighth.matmul", columns=2)
def f(values):
    """Projection."""
    d = values.shape[1]
    return values @ np.cos(np.arange(2.0 * d)).reshape(d, 2)
