"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a mean over the private number of rows, claimed for n = 100 (smartnoise-core #356).
@dp.own_statistic("sixteenth.privaten", gives=1, sensitivity=lambda removed, added: {"linf": 0.01 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.sum() / max(len(v), 1))]
