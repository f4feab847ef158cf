"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows of keys that have five, claimed 1 (smartnoise-sdk #309 without its noise).
@dp.own_statistic("sixteenth.keysabove", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).astype(int) % 20
    c = np.bincount(v, minlength=20)
    return [float(c[c >= 5].sum())]
