"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a row counts twice in a table of 2,981 different rows. Witness: 2,980 of them and one more.
@dp.own_statistic("seventeenth.kinds", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """How many rows."""
    return [float(len(rows)) * (2 if np.log(max(len(np.unique(rows[:, 0])), 1)) > 8 else 1)]
