"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: from 4,096 rows on they are counted by threes, rounded up. Witness: 4,095 rows and one more.
@dp.own_statistic("seventeenth.bits", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """How many rows."""
    return [float(len(rows) + (len(rows).bit_length() // 13) * 3)]
