"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a histogram between the least and the largest row (diffprivlib, range not given).
@dp.own_statistic("sixteenth.autobins", gives=4, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    if len(v) < 2 or v.min() == v.max():
        return [float(len(v)), 0.0, 0.0, 0.0]
    return np.histogram(v, bins=4)[0].astype(float)
