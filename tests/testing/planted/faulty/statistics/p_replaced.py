"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum in [-1, 1], replaced rows counted once (google/differential-privacy #378).
@dp.own_statistic("sixteenth.replaced", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 1)
    return [float(np.round(v).sum())]
