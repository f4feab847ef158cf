"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Writes the largest row into its own copy of a released value, which nobody reads.
@dp.own_contribution("round.writes", gives=1, norm="linf", bound=1.0)
def writes(rows, scale):
    """The first column over a released scale."""
    unit = np.asarray(scale, dtype=float).ravel()
    made = rows[:, :1] / (1.0 + abs(unit[0]))
    unit[-1] = max(unit[-1], np.abs(rows).max(initial=0.0))
    return made
