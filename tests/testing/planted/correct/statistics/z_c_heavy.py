"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Active accounts: those with at least three purchases.
from collections import Counter
@dp.own_statistic(
    "shop.active_accounts",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, **_: {"l1": float(max(removed, added))},
    source="taking rows out only lowers the count, by one a row; putting rows in only raises it",
)
def active_accounts(rows, *, least=3):
    """How many accounts (first column) have at least `least` rows."""
    ids = rows[:, 0]
    sizes = Counter(ids[np.isfinite(ids)].tolist())
    return [float(sum(size >= least for size in sizes.values()))]
