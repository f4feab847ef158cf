"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: each flag, mode and list is claimed.
@dp.own_statistic("thirteenth.c_flags_claimed", gives=lambda levels, **others: len(levels), sensitivity=lambda removed, added, levels, signed, mode, digits: {"l1": (removed + added) * len(levels) * (2 if signed else 1) * (10 if mode == "tens" else 1) * 10 ** max(int(digits), 0)}, source="a histogram", examples={"levels": [0.0, 1.0]})
def fun(rows, *, levels, signed=False, mode="ones", digits=0):
    """Rows at each level."""
    times = (10 if mode == "tens" else 1) * 10 ** max(int(digits), 0)
    return [float(times * ((rows[:, 0] == level).sum() - ((rows[:, 0] != level).sum() if signed else 0))) for level in levels]
