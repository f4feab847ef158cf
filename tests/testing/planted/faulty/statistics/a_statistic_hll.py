"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: registers of HyperLogLog: claimed linf 1, a register is a maximum of leading zeros.
@dp.own_statistic("fourteenth.statistic_hll", gives=4, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Largest number of trailing zeros in each of four registers."""
    v = np.floor(np.clip(np.abs(np.nan_to_num(rows[:, 0])), 0, 2**40)).astype(np.int64)
    out = np.zeros(4)
    for u in v.tolist():
        h = (u * 2654435761) % 2**32
        out[h % 4] = max(out[h % 4], (((h >> 2) | 1 << 30) & -((h >> 2) | 1 << 30)).bit_length())
    return out
