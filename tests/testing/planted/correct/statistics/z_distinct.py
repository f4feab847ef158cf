"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Distinct values; a replacement removes one and adds one, so it moves by at most 1.
@dp.own_statistic("laterc16.distinct", gives=1, source="sets", sensitivity=lambda removed, added: {"l1": float(max(removed, added))})
def distinct(rows):
    """How many distinct values the first column has."""
    return np.array([float(len(set(rows[:, 0].tolist())))])
