"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: parity bits, linf claim 1.
@dp.own_statistic("fourteenth.c_xor", gives=8, sensitivity=lambda removed, added: {"linf": 1.0}, source="none")
def f(rows):
    """Parity of each bit."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 255).astype(int)
    total = int(np.bitwise_xor.reduce(v)) if len(v) else 0
    return [float(total >> i & 1) for i in range(8)]
