"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Trimmed sum of clip [0,1] with k = n//10, claims r + a.
import math


@dp.own_statistic("outside.c01", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="order statistics interlace", bits=20)
def trimmed(rows):
    """Sum of values in [0, 1] without the tenth at either end."""
    values = sorted(min(max(v, 0.0), 1.0) for v in rows[:, 0].tolist())
    cut = len(values) // 10
    return [math.fsum(values[cut : len(values) - cut])]
