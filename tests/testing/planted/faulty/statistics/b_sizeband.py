"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a count doubled between 2^10 and 2^10 + 7 rows.
@dp.own_statistic("fifteenth.sizeband", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    n = len(rows)
    return [float(n * (1 + (n // 8 == 2**7)))]
