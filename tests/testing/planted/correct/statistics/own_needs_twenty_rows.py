"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.own_needs_twenty_rows", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 20.0 * (removed + added)})
def own_needs_twenty_rows(rows):
    """A count from twenty rows on."""
    if len(rows) < 20:
        raise ValueError("twenty rows")
    return [len(rows)]
