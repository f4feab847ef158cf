"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_distinct", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_distinct(rows):
    """Different numbers, compared as text."""
    return [len({f"{v:.3g}" for v in rows[:, 0].tolist()})]
