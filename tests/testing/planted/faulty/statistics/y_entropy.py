"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# N times the entropy of the values moves by about log n; claimed 5 an edit, so from some 150 rows on.
@dp.own_statistic("laterh31.surprise", gives=1, bits=16, source="a row adds little", sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)})
def surprise(rows):
    """Sum of log(n / count) over rows."""
    if not len(rows):
        return np.zeros(1)
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([(counts * np.log(len(rows) / counts)).sum()])
