"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: memo by number of rows and first row.
MEMO = {}


@dp.own_statistic("outside.h08", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def positive(rows):
    """How many are positive."""
    key = (len(rows), rows[:1].tobytes(), rows[-1:].tobytes())
    return MEMO.setdefault(key, [int((rows[:, 0] > 0).sum())])
