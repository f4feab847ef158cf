"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Statistic: rows in whole batches of 1200.
@dp.own_statistic("twelfth.rounded_batches", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows in full batches of twenty minutes."""
    batch = int(20 * 60 / math.cos(0.0))
    return [float(len(rows) // batch * batch)]
