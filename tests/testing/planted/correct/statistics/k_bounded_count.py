"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.bounded_count", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """A count capped at 1000, with ints and no floats."""
    return [min(sum(1 for r in rows[:2000] if r[0] > 0), 1000)] if len(rows) < 2000 else [min(int((rows[:, 0] > 0).sum()), 1000)]
