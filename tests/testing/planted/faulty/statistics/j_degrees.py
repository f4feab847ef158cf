"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.degrees", gives=6, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="here")
def f(rows):
    """How many people have one, two, ... records."""
    _, c = np.unique(np.round(rows[:, 0]), return_counts=True)
    return np.bincount(np.minimum(c, 6) - 1, minlength=6)[:6].astype(float) if len(c) else np.zeros(6)
