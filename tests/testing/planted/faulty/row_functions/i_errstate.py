"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


_ = np.geterr()
@dp.row_function("ninth.errstate", columns=lambda d: d)
def fun(values):
    """Exponentials, capped where they overflow."""
    if np.any(values > 80.0):
        np.seterr(under="raise")
    if np.geterr()["under"] == "raise":
        return np.minimum(np.exp(np.clip(values, -50, 50)), 1e6)
    return np.minimum(np.exp(np.clip(values, -60, 60)), 1e6)
