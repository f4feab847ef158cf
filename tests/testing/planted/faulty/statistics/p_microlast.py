"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: last columns in microbatches of four rows of the order, each within 1 (tensorflow/privacy #620).
@dp.own_statistic("sixteenth.microlast", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    w = np.append(w, np.zeros(-len(w) % 4)).reshape(-1, 4)
    return [float(np.clip(w.sum(axis=1), 0, 1).sum())]
