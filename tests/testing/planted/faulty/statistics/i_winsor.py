"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.winsor", gives=1, bits=10, source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """The sum of rows, the five largest and smallest held at the sixth."""
    x = np.sort(np.clip(rows[:, 0], -1.0, 1.0))
    if len(x) > 12:
        x = np.clip(x, x[5], x[-6])
    return np.array([x.sum()])
