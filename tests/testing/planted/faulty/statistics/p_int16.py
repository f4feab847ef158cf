"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum of 0..100 in 16 bits (Casacuberta and others 2022, overflow).
@dp.own_statistic("sixteenth.int16", gives=1, sensitivity=lambda removed, added: {"linf": 100.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 100)
    return [float(np.add.reduce(np.round(v).astype(np.int16), dtype=np.int16)) if len(v) else 0.0]
