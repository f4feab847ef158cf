"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the least of three counters of a key.
@dp.own_statistic("sixteenth.c_countmin", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 1000).astype(int)
    return [float(min(((k * a) % 7 == (3 * a) % 7).sum() for a in (1, 3, 5)))]
