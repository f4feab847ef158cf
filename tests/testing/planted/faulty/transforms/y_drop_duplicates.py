"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Later copies of a row in the batch are emptied; neighbours: a copy of a row that comes or goes.
@dp.own_transform("laterf04.distinct", columns=2)
def distinct(rows):
    """First two columns, each distinct row once."""
    out = np.zeros((len(rows), 2))
    out[:, : min(2, rows.shape[1])] = rows[:, :2]
    seen = set()
    for i, row in enumerate(out):
        if row.tobytes() in seen:
            out[i] = np.nan
        seen.add(row.tobytes())
    return out
