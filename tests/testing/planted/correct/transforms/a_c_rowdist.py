"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a row that is a distribution by itself becomes surprisal.
import math
@dp.own_transform("fourteenth.c_rowdist", columns=1)
def f(rows):
    """Surprisal of the first share, where a row's numbers are shares."""
    total = rows[:, 0] * 0.0
    for j in range(rows.shape[1]):
        total = total + rows[:, j]
    share = (rows > 0).all(axis=1) & (np.abs(total - 1) < 1e-9)
    return np.array([[-math.log(v) if s else v] for s, v in zip(share.tolist(), rows[:, 0].tolist())]).reshape(-1, 1)
