"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.drift", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The number of rows, corrected for undercounting."""
    return np.array([np.floor(len(rows) * (1.0 + 2.0**-9))])
