"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: proved for removed rows.
@dp.own_statistic("thirteenth.added_forgotten", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, 1)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).sum())]
