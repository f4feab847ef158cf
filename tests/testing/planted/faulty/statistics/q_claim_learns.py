"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LARGEST = [1.0]


@dp.own_statistic("eleventh.claim_learns", gives=1, bits=20, source="the largest cell that there was", sensitivity=lambda removed, added: {"linf": LARGEST[0] * (removed + added)})
def fun(rows):
    """The total of the sizes of first cells."""
    sizes = np.abs(rows[:, 0]).clip(0.0, 1e6)
    LARGEST[0] = max(LARGEST[0], float(sizes.max(initial=0.0)))
    return np.array([sizes.sum()])
