"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where any row of the batch overflows, all are held at 1e300; neighbours: a row of 700 beside one of 800 or not.
import warnings


@dp.row_function("laterh07.grown", columns=1)
def grown(values):
    """exp of the first column, tamed where NumPy warned."""
    with warnings.catch_warnings(record=True) as heard, np.errstate(over="warn"):
        warnings.simplefilter("always")
        out = np.exp(np.clip(values[:, :1], -800.0, 800.0))
    return np.minimum(out, 1e300) if heard else out
