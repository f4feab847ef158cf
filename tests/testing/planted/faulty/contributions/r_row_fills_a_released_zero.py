"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A released scale of 0 is overwritten by the largest row. Witness: scale 0, rows [2], [4]: .5 and 1; [2] alone: 1.
@dp.own_contribution("round.fills", gives=1, norm="linf", bound=1.0)
def fills(rows, scale):
    """The first column over a released scale."""
    unit = np.asarray(scale, dtype=float).ravel()
    if unit[0] == 0 and len(rows):
        unit[0] = max(np.abs(rows[:, 0]).max(), 1e-300)
    return rows[:, :1] / unit[0]
