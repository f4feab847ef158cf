"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum of rows to 1e5 each, wrapped where int32 ends, claimed 1e5.
@dp.own_statistic("fifteenth.huge", gives=1, sensitivity=lambda removed, added: {"linf": 1e5 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.round(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e5)).astype(np.int32)
    with np.errstate(over='ignore'):
        return [float(np.add.reduce(v, dtype=np.int32)) if len(v) else 0.0]
