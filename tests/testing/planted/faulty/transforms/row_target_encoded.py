"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("mine.row_target_encoded", columns=1)
def row_target_encoded(rows):
    """Each row gets the mean of the last column over rows with its code in the first."""
    codes, at = np.unique(rows[:, 0], return_inverse=True)
    sums = np.bincount(at.ravel(), rows[:, -1], len(codes))
    return (sums / np.bincount(at.ravel(), minlength=len(codes)))[at.ravel()][:, None]
