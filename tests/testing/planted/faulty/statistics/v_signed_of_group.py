"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the largest of a person, of both signs.
@dp.own_statistic("thirteenth.signed_of_group", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="one vote a person")
def fun(rows):
    """The sum over persons (first column) of their largest vote (last column), -3 to 3."""
    vote = np.clip(np.rint(rows[:, -1]), -3, 3)
    best = {}
    for who, v in zip(rows[:, 0].tolist(), vote.tolist()):
        best[who] = max(best.get(who, -3.0), v)
    return [float(sum(best.values()))]
