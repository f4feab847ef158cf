"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a histogram of degrees of a graph of edges, claimed 4.
@dp.own_statistic("sixteenth.c_degrees", gives=6, sensitivity=lambda removed, added: {"l1": 4.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    e = np.clip(np.nan_to_num(rows), 0, 9).astype(int)
    d = np.bincount(e[:, 0], minlength=10) + np.bincount(e[:, -1], minlength=10)
    return np.bincount(np.minimum(d, 5), minlength=6).astype(float)
