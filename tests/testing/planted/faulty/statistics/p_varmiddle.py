"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: squares in [-2, 4] less the middle's, claimed by the lower end (PipelineDP #57).
@dp.own_statistic("sixteenth.varmiddle", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -2, 4)
    return [float(np.round((np.square(v) - 1.0).sum()))]
