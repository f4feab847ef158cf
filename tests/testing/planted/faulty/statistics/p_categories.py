"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: counts by the place of a category among those that are there (reprosyn #38).
@dp.own_statistic("sixteenth.categories", gives=5, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).astype(int)
    _, i = np.unique(v, return_inverse=True)
    return np.bincount(np.minimum(i.ravel(), 4), minlength=5)[:5].astype(float)
