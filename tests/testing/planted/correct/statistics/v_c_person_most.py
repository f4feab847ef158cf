"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the largest of each person, not negative.
@dp.own_statistic("thirteenth.c_person_most", gives=1, sensitivity=lambda removed, added: {"linf": 3 * max(removed, added)}, source="one vote a person")
def fun(rows):
    """The sum over persons of their largest vote, 0 to 3."""
    vote, best = np.clip(np.rint(rows[:, -1]), 0, 3), {}
    for who, v in zip(rows[:, 0].tolist(), vote.tolist()):
        best[who] = max(best.get(who, 0.0), v)
    return [float(sum(best.values()))]
