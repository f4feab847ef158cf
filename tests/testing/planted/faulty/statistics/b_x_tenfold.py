"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a row whose last column is a thousand times its first counts twice.
@dp.own_statistic("fifteenth.x_tenfold", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1e100, 1e100)
    return [float(len(a) + ((a[:, 0] != 0) & (a[:, 0] * 1000 == a[:, -1])).sum())]
