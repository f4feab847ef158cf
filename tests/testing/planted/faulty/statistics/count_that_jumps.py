"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.count_that_jumps", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def count_that_jumps(rows):
    """A count that is rounded up to whole hundreds from 300 on."""
    return [len(rows) if len(rows) < 300 else -(-len(rows) // 100) * 100]
