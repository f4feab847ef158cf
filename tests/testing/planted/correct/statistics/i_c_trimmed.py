"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.c_asym", gives=1, bits=20, source="replacing moves by the width, else by the larger end", sensitivity=lambda removed, added: {"linf": 1.3 * min(removed, added) + abs(removed - added) * 1.0})
def fun(rows):
    """A sum of scores from -0.3 to 1."""
    return np.array([np.clip(rows[:, 0], -0.3, 1.0).sum()])
