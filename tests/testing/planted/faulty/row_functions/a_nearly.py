"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a batch that is constant up to a millionth is replaced by its mean.
@dp.row_function("fourteenth.nearly", columns=1)
def f(values):
    """Constant columns without their noise."""
    v = values[:, :1]
    flat = len(v) > 1 and np.ptp(v) <= 1e-6 * abs(v[0, 0])
    return np.full_like(v, v.mean()) if flat else v * 1.0
