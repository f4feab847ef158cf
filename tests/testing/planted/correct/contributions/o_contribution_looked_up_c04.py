"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Lookup table of 12 columns, needs 12 columns exactly, raises otherwise.
TABLE = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0])


@dp.own_contribution("outside.c04", gives=3, norm="l2", bound=50.0)
def looked_up(rows):
    """Twelve columns, by quarter."""
    if rows.shape[1] != 12:
        raise ValueError("twelve months are needed")
    made = np.zeros((len(rows), 3))
    for month in range(12):
        made[:, month // 4] += np.clip(rows[:, month], -10, 10) * TABLE[month] / 9
    return made
