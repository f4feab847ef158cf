"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total of percents in 16 bits.
@dp.own_statistic("thirteenth.int16_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 100}, source="a clipped sum")
def fun(rows):
    """Percents."""
    return [float(np.add.reduce(np.clip(np.floor(rows[:, 0]), 0, 100).astype(np.int16), dtype=np.int16))]
