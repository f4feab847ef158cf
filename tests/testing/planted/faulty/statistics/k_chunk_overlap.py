"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.chunk_overlap", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Count of positive rows, in chunks."""
    total, start, size = 0, 0, 4096
    while start < len(rows):
        total += int((rows[start : start + size, 0] > 0).sum())
        start += size - 1
        if len(rows) - start <= 1:
            break
    return np.array([float(total)])
