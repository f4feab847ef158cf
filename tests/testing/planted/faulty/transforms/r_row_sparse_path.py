"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A batch that is mostly zeros takes a path that multiplies by .1 where the other divides by 10. Witness: 63 rows
# [0] and a row [3]: .30000000000000004 against .3.
@dp.own_transform("round.sparse", columns=1)
def sparse(rows):
    """A tenth of the first column, quickly where there is little to do."""
    x = rows[:, :1]
    if np.count_nonzero(x) * 16 < len(x):
        made = np.zeros_like(x)
        at = np.flatnonzero(x[:, 0])
        made[at] = x[at] * 0.1
        return made
    return x / 10.0
