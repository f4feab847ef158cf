"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sums of nonzero entries by reduceat: a row of zeros takes the next one's first entry.
@dp.row_function("fifteenth.reduceat", columns=1)
def f(values):
    """Rows."""
    a = np.nan_to_num(values, posinf=0, neginf=0)
    r, c = np.nonzero(a)
    if not len(r):
        return np.zeros((len(a), 1))
    starts = np.searchsorted(r, np.arange(len(a)))
    return np.add.reduceat(np.append(a[r, c], 0.0), np.minimum(starts, len(r)))[:, None] * 1.0
