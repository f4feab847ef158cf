"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sample by a generator that is seeded with the number of rows.
@dp.own_statistic("sixteenth.seedoflen", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    keep = np.random.default_rng(len(rows)).random(len(rows)) < 0.5
    return [float(keep.sum())]
