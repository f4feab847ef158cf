"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Operation with a list: bins are made narrower by rows where more than six edges.
@dp.own_transform("fifteenth.t_list", columns=1, examples={"edges": [0.0, 1.0, 2.0]})
def f(rows, *, edges):
    """The bin."""
    v = np.nan_to_num(rows[:, 0])
    e = np.sort(np.asarray(edges, float))
    if len(e) > 6 and len(v):
        e = e[(e >= v.min()) | (e == e[0])]
    return np.searchsorted(e, v)[:, None] * 1.0
