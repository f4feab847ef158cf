"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a batch in which each row has at most one number that is not 0 goes a sparse way that adds up equal columns.
@dp.own_transform("fourteenth.sparse", columns=1)
def f(rows):
    """Largest number; sparse batches by columns."""
    if len(rows) > 3 and rows.shape[1] > 1 and ((rows != 0).sum(axis=1) == 1).all():
        total = rows.sum(axis=0)
        return total[np.abs(rows).argmax(axis=1)].reshape(-1, 1)
    return np.abs(rows).max(axis=1, keepdims=True)
