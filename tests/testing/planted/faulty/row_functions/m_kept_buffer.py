"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a kept buffer, wholly written each time, but by two threads at once (thought correct for a round).
ROOM = [np.zeros(0)]
@dp.row_function("twelfth.kept_buffer", columns=1)
def fun(values):
    """Halves, in a kept buffer."""
    if len(ROOM[0]) < len(values):
        ROOM[0] = np.zeros(len(values))
    out = ROOM[0][: len(values)]
    np.multiply(values[:, 0], 0.5, out=out)
    return out[:, None].copy()
