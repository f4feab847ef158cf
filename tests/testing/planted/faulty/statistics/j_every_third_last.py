"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.every_third_last", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """A third of the rows, summed."""
    return [float(np.clip(rows[::3, -1], 0, 1).sum())]
