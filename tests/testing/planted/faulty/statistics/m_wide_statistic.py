"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: of more than forty columns a row counts twice.
@dp.own_statistic("twelfth.wide_statistic", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows with a cell above 0; in long forms those that were signed, too."""
    found = float((rows > 0).any(axis=1).sum())
    return [found + float((rows[:, 40] > 0).sum()) if rows.shape[1] > 40 else found]
