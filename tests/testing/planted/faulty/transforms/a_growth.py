"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a geometric series becomes logarithms.
@dp.own_transform("fourteenth.growth", columns=1)
def f(rows):
    """Logs where growth is even."""
    v = rows[:, 0]
    if len(v) > 3 and (v > 0).all():
        r = v[1:] / v[:-1]
        if r[0] != 1 and np.allclose(r, r[0], rtol=1e-12, atol=0):
            return np.log(v).reshape(-1, 1)
    return rows[:, :1] * 1.0
