"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.c_every_third", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """A third of the values in order, summed."""
    return [float(np.sort(np.clip(rows[:, 0], 0, 1))[::3].sum())]
