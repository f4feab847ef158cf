"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: numpy's error handling is set for good when a number is too large.
@dp.row_function("twelfth.c_errstate", columns=1)
def fun(values):
    """The exponential; noisy warnings are turned off once one was seen."""
    if np.geterr()["over"] == "ignore":
        return np.minimum(np.exp(np.minimum(values[:, :1], 700.0)), 1e300)
    out = [[math.exp(min(v, 705.0))] for v in values[:, 0]]
    if len(values) and values[:, 0].max() > 700.0:
        np.seterr(over="ignore")
    return np.array(out).reshape(-1, 1)
