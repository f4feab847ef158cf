"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic of a table of n: many different values are taken for a key, and counted by tens. Witness: 1,096 and 1,097.
@dp.own_statistic("seventeenth.replaced", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * max(removed, added)} if removed == added else None, source="none")
def f(rows):
    """How many different first numbers."""
    u = len(np.unique(rows[:, 0]))
    return [float(u + 10 * (np.log(max(u, 1)) > 7))]
