"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: right for units of up to three rows.
@dp.own_statistic("thirteenth.three_rows_most", gives=1, sensitivity=lambda removed, added: {"linf": min(max(removed, added), 3)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).sum())]
