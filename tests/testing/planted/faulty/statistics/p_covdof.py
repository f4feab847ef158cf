"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a variance over n - 1 within [0, 1], claimed a tenth from ten rows on.
@dp.own_statistic("sixteenth.covdof", gives=1, sensitivity=lambda removed, added: {"linf": 0.1 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.var(ddof=1)) if len(v) >= 10 else 0.0]
