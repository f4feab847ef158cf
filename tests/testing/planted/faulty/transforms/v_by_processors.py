"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


# Transform: pieces, one a processor, each from its first row.
@dp.own_transform("thirteenth.by_processors", columns=1)
def fun(rows):
    """Distance to where a piece begins, if it is more than a million."""
    made = np.zeros((len(rows), 1))
    for piece in np.array_split(np.arange(len(rows)), len(os.sched_getaffinity(0))):
        if len(piece):
            gap = rows[piece, 0] - rows[piece[0], 0]
            made[piece, 0] = np.where(np.abs(gap) > 1e6, gap, rows[piece, 0])
    return made
