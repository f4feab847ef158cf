"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a level that is listed twice counts a row twice.
@dp.own_statistic("thirteenth.levels_twice", gives=lambda levels: len(levels), sensitivity=lambda removed, added, levels: {"l1": removed + added}, source="a histogram", examples={"levels": [0.0, 1.0, 5.0]})
def fun(rows, *, levels):
    """Rows at each level."""
    return [float((rows[:, 0] == level).sum()) for level in levels]
