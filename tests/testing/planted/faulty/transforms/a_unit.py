"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a batch of unit vectors only is taken for directions: angles by the first of them.
@dp.own_transform("fourteenth.unit", columns=1)
def f(rows):
    """First coordinate; against the first row where all are unit vectors."""
    if len(rows) > 1 and rows.shape[1] > 1 and (np.abs(np.square(rows).sum(axis=1) - 1) < 1e-9).all():
        return (rows[:, :1] * rows[0, 0] + rows[:, 1:2] * rows[0, 1])
    return rows[:, :1] * 1.0
