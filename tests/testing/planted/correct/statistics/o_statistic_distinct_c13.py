"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Number of distinct rounded values with l1 bound max... claims r + a.
@dp.own_statistic("outside.c13", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="a row has one value", bits=0)
def distinct(rows):
    """Distinct names of rounded values."""
    return [len({f"{v:.3g}" for v in rows[:, 0].tolist()})]
