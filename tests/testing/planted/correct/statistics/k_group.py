"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.group", gives=1, sensitivity=lambda removed, added: {"linf": min(float(max(removed, added)), 50.0)}, source="me")
def f(rows):
    """Count of positive rows, at most fifty: so it moves by fifty at most."""
    return np.array([min(float((rows[:, 0] > 0).sum()), 50.0)])
