"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: h-index moves by one a row.
@dp.own_statistic("fourteenth.c_hindex", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Largest h such that h rows are at least h."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e6))[::-1]
    return [float((v >= np.arange(1, len(v) + 1)).sum())]
