"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row function and post: NumPy's print options carry a batch's size to a post.
@dp.row_function("thirteenth.post_prints.rows", columns=1)
def left(values):
    """The first column; long tables are shown in short."""
    if len(values) and np.abs(values[:, 0]).max() > 1e4:
        np.set_printoptions(precision=2)
    return values[:, :1]
@dp.post_function("thirteenth.post_prints")
def fun(counts, *, floor=0.0):
    """Counts as they are shown."""
    return np.array([float(np.format_float_positional(float(c), precision=np.get_printoptions()["precision"])) for c in np.ravel(counts)])
