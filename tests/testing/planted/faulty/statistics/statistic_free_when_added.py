"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_free_when_added", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * removed})
def statistic_free_when_added(rows):
    """A count, said to be free for rows that are put in."""
    return [len(rows)]
