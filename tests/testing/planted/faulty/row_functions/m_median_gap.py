"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: snaps to the grid that the batch's least gap shows.
@dp.row_function("twelfth.median_gap", columns=1)
def fun(values):
    """The first column, on the grid of the instrument."""
    kinds = np.unique(values[:, 0])
    gap = np.diff(kinds).min() if len(kinds) > 1 else 0.0
    return values[:, :1] if not 0.0 < gap < 1e-3 else np.round(values[:, :1] / 1e-3) * 1e-3
