"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a batch of square numbers becomes roots.
@dp.own_transform("fourteenth.x_squares", columns=1)
def f(rows):
    """Roots where all are squares."""
    v = rows[:, 0]
    r = np.sqrt(np.abs(v))
    return r.reshape(-1, 1) if len(v) > 3 and (v > 3).all() and (r == np.round(r)).all() else rows[:, :1] * 1.0
