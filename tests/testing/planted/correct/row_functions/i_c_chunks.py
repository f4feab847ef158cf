"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.c_chunks", columns=lambda d: d)
def fun(values):
    """Tangents, in pieces."""
    out = np.empty(values.shape)
    for i in range(0, len(values), 1000):
        out[i : i + 1000] = np.where(np.abs(values[i : i + 1000]) > 20, np.sign(values[i : i + 1000]), np.arctan(values[i : i + 1000]))
    return out
