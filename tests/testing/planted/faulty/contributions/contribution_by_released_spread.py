"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.contribution_by_released_spread", gives=1, norm="linf", bound=1.0)
def contribution_by_released_spread(rows, spread):
    """In units of the released spread, or of the rows' own where that is larger."""
    own = np.abs(rows[:, 0]).max(initial=0.0)
    return rows[:, :1] / max(float(np.ravel(np.asarray(spread, dtype=float))[0]), own, 1e-9)
