"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = set()

@dp.own_statistic("mine.counts_and_remembers", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def counts_and_remembers(rows):
    """Different values, of all tables so far."""
    SEEN.update(rows[:, 0].tolist())
    return [len(SEEN)]
