"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: on a line a row joins two groups at most.
@dp.own_statistic("thirteenth.c_linked_on_a_line", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="single linkage")
def fun(rows):
    """Groups of rows within 1."""
    return [float((np.diff(np.sort(rows[:, 0])) > 1).sum() + (len(rows) > 0))]
