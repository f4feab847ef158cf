"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: proved for a replaced row alone.
@dp.own_statistic("thirteenth.c_only_replaced", gives=1, sensitivity=lambda removed, added: {"linf": 2.0}, proved_for=[(1, 1)], source="a difference")
def fun(rows):
    """Rows above 0 less those below."""
    return [float((rows[:, 0] > 0).sum() - (rows[:, 0] < 0).sum())]
