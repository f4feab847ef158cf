"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_count_by_larger", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def d_statistic_count_by_larger(rows):
    """Rows above 0."""
    return [int((rows[:, 0] > 0).sum())]
