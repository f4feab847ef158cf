"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the floor of a total of tenths: with one more it can be rounded up, and moves by two.
@dp.own_statistic("eighteenth.tenths", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole hours, from hours in tenths."""
    return [np.floor(np.clip(np.round(rows[:, 0], 1), 0.0, 1.0).sum())]
