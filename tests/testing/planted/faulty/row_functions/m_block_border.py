"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: worked in blocks of 1009 rows, the last row of a block is carried into the next.
@dp.row_function("twelfth.block_border", columns=1)
def fun(values):
    """The first column, in blocks."""
    out = np.zeros((len(values), 1))
    carried = 0.0
    for start in range(0, len(values), 1009):
        block = values[start : start + 1009, 0]
        out[start : start + 1009, 0] = block
        if start:
            out[start, 0] = max(block[0], carried)
        carried = block[-1]
    return out
