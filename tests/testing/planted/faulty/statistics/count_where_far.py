"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.count_where_far", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def count_where_far(rows):
    """Twice what is far out."""
    return [int(len(rows) + (np.abs(rows).max(axis=1, initial=0.0) > 1e5).sum())]
