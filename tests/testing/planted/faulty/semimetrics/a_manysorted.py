"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: with many rows in order of their first numbers distances are interpolated.
@dp.semimetric("fourteenth.manysorted", triangle=lambda r: 1.0 + 1e-9, many=True)
def f(a, b):
    """l2; of a grid of candidates every second distance is the mean of its neighbours."""
    d = np.sqrt(np.square(a - b).sum(axis=-1))
    if np.ndim(b) == 2 and len(b) > 4 and (np.diff(b[:, 0]) > 0).all():
        d = d.copy()
        d[1:-1:2] = (d[0:-2:2][: len(d[1:-1:2])] + d[2::2][: len(d[1:-1:2])]) / 2
    return d
