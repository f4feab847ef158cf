"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: registers of leading zeros, claimed to move by 1 (sketches).
@dp.own_statistic("sixteenth.hyperloglog", gives=4, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    h = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9)).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    reg = np.zeros(4)
    for x in h.tolist():
        reg[x & 3] = max(reg[x & 3], 31 - (x >> 2).bit_length())
    return reg
