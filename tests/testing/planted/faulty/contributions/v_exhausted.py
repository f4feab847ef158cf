"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LEVELS = map(float, range(4))


# Contribution: levels are there for the first call alone.
@dp.own_contribution("thirteenth.exhausted", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """How many levels a row is above."""
    made = np.zeros(len(rows))
    for level in LEVELS:
        made = made + (rows[:, 0] > level) / 4
    return made[:, None]
