"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total of whole parts.
@dp.own_statistic("eighteenth.ceach", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole hours of each, added up."""
    return [float(np.floor(np.clip(rows[:, 0], 0.0, 1.0)).sum())]
