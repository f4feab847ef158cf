"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("eighth.rank_parts", parts=4)
def f(rows):
    """Quartiles."""
    if len(rows) < 1024:
        return np.clip(np.floor(rows[:, 0]), 0, 3).astype(int)
    return np.searchsorted(np.quantile(rows[:, 0], [0.25, 0.5, 0.75]), rows[:, 0])
