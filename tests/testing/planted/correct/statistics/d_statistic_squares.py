"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_squares", gives=1, source="here", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_squares(rows):
    """Squared deviations from the mean, of numbers in [0, 1]: a row adds n/(n+1)·(x − mean)², at most 1."""
    x = np.clip(rows[:, 0], 0, 1)
    return [float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0]
