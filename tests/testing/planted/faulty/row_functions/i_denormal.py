"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.denormal", columns=1)
def fun(values):
    """Lengths of rows, without overflow."""
    top = float(np.abs(values).max(initial=0.0))
    if top == 0.0:
        return np.zeros((len(values), 1))
    unit = 2.0 ** min(np.floor(np.log2(top)), 500.0)
    scaled = values / unit
    out = np.zeros(len(values))
    for j in range(values.shape[1]):
        out = np.hypot(out, scaled[:, j])
    return np.minimum(out * unit, 1e300)[:, None]
