"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Half of a monthly total in tens, with a surcharge where the year's is above the limit.
@dp.own_statistic(
    "nineteenth.s_surcharge_money",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 6.0 * (removed + added)},
    source="own",
)
def s_surcharge_money(rows):
    """Half of a monthly total in tens, with a surcharge where the year's is above the limit."""
    total = int(np.rint(np.clip(rows[:, 0], 0.0, 10.0)).sum()) if len(rows) else 0
    return total // 2 + (40 if total * 12 > 3_000_000 else 0)
