"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: squared deviations from a mean that is rounded, within [2^50, 2^50 + 1] (opendp #2923).
@dp.own_statistic("sixteenth.ssdfloat", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2.0**50, 2.0**50 + 1)
    return [float(np.square(v - v.mean()).sum()) if len(v) else 0.0]
