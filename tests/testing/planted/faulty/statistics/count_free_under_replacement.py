"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.count_free_under_replacement", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * abs(added - removed)})
def count_free_under_replacement(rows):
    """Positive rows, said to be free under replace-one."""
    return [int((rows[:, 0] > 0).sum())]
