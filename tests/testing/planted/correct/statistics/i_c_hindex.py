"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.c_hindex", gives=dp.Counts(1), source="one row moves it by one", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The largest h such that h rows are h or more."""
    x = np.sort(rows[:, 0])[::-1]
    return np.array([float(np.count_nonzero(x >= np.arange(1, len(x) + 1)))])
