"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.own_contribution("mine.sum_by_the_day", gives=2, norm="l2", bound=1.0)
def sum_by_the_day(rows):
    """Another sign on odd days."""
    return rows[:, [0, -1]] / 8 * (1.0 if int(time.time() // 86400) % 2 else -1.0)
