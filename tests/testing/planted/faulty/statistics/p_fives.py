"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a count in fives, claimed 1 (rounded before noise).
@dp.own_statistic("sixteenth.fives", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(5 * np.round(len(rows) / 5))]
