"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Discordant pairs over the number of rows move by almost 1, not 1/2.
@dp.own_statistic("newer07.kendall", gives=1, bits=20, source="half of the pairs with a row are discordant",
    sensitivity=lambda removed, added: {"linf": 0.5 * max(removed, added), "l1": 0.5 * max(removed, added)})
def kendall(rows):
    """Discordant pairs of two columns, over the number of rows."""
    if rows.shape[1] < 2 or len(rows) < 2:
        return np.zeros(1)
    x, y = rows[:, 0], rows[:, 1]
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :])
    return np.array([float((signs < 0).sum()) / 2 / len(rows)])
