"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sample of last columns by a generator with a fixed seed, by the row's place.
@dp.own_statistic("sixteenth.seedplace", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    return [float(w[np.random.default_rng(0).random(len(w)) < 0.5].sum())]
