"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: the first row of each direction counts: others in the same direction don't.
@dp.own_contribution("fourteenth.parallel", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first row of each direction (slopes)."""
    seen, out = set(), []
    for r in np.nan_to_num(rows).tolist():
        slope = None if len(r) < 2 or r[0] == 0 else round(r[1] / r[0], 9)
        out.append([0.0 if slope is not None and slope in seen else 1.0])
        seen.add(slope)
    return np.array(out).reshape(-1, 1)
