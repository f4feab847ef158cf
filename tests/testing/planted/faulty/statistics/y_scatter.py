"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sum of squared deviations of values in [0, 1], claimed 1/4 "because a variance is at most 1/4"; {0, 0} -> {0, 1}
# moves it by 1/2.
@dp.own_statistic("laterf17.scatter", gives=1, bits=20, source="Popoviciu",
    sensitivity=lambda removed, added: {"linf": 0.25 * (removed + added)})


def scatter(rows):
    """Centred sum of squares."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([((x - x.mean()) ** 2).sum() if len(x) else 0.0])
