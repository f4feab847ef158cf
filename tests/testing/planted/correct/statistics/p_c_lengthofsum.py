"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the length of a sum of two columns within 0..1, claimed the root of 2.
@dp.own_statistic("sixteenth.c_lengthofsum", gives=1, sensitivity=lambda removed, added: {"linf": 1.4142136 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), 0, 1)
    return [float(np.hypot(a[:, 0].sum(), a[:, -1].sum()))]
