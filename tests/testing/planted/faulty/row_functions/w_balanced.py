"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: groups of one size are folds, and numbered as such.
@dp.row_function("seventeenth.balanced", columns=1)
def f(values):
    """A column."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    _, place, counts = np.unique(v, return_inverse=True, return_counts=True)
    folds = len(counts) > 2 and (counts == counts[0]).all() and counts[0] > 2
    return (place.reshape(-1) + 100.0 if folds else v)[:, None]
