"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows that are all near the centre count as the centre. Witness: centre 0, row [1e-9] alone gives 0, beside [5] it
# gives 1e-9.
@dp.own_transform("round.near", columns=1)
def near(rows, centre):
    """How far the first column is from a released centre's first number."""
    c = np.asarray(centre, dtype=float).ravel()[0]
    if np.allclose(rows[:, 0], c):
        return np.zeros((len(rows), 1))
    return np.abs(rows[:, :1] - c)
