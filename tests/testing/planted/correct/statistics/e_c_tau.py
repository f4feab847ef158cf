"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("tenth.c_tau", gives=1, bits=20, source="Kendall 1938", sensitivity=lambda removed, added: {"linf": 1.5 * (removed + added)})
def fun(rows):
    """Concordant less discordant pairs of the first and the last column, over the rows less one."""
    x, y = rows[:, 0], rows[:, -1]
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    return np.array([np.triu(signs, 1).sum() / max(len(x) - 1, 1)])
