"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the commonest value's count capped at 100.
@dp.own_statistic("twelfth.c_capped", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a mode")
def fun(rows):
    """How often the commonest value occurs, to a hundred."""
    return [float(min(np.unique(rows[:, 0], return_counts=True)[1].max(initial=0), 100))]
