"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.v_floored_log", triangle=lambda r: 1.0)
def d(a, b):
    """The largest ratio, of sizes of at least a thousandth."""
    one, two = (np.log(np.maximum(np.abs(np.asarray(v)), 1e-3)) for v in (a, b))
    return float(np.max(np.abs(one - two)))
