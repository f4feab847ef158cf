"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: one of its modes standardises by the batch.
@dp.own_transform("thirteenth.mode_text", columns=1)
def fun(rows, *, mode="log"):
    """A scale for the first column: log, root or standard."""
    x = rows[:, :1]
    if mode == "log":
        return np.log1p(np.abs(x))
    if mode == "root":
        return np.sqrt(np.abs(x))
    if mode == "standard":
        return (x - np.median(x)) / (np.abs(x - np.median(x)).max() + 1.0)
    raise ValueError("log, root or standard")
