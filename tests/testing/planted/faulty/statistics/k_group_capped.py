"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.group_capped", gives=1, sensitivity=lambda removed, added: {"linf": float(min(max(removed, added), 1))}, source="me")
def f(rows):
    """Count of positive rows."""
    return np.array([float((rows[:, 0] > 0).sum())])
