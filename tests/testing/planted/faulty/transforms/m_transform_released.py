"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: adds up in the released centre.
@dp.own_transform("twelfth.transform_released", columns=1)
def fun(rows):
    """Rows over a public scale that is found as it goes."""
    scale = getattr(state, "scale", 1.0)
    state.scale = max(scale, 1.0 if not len(rows) else float(np.min(np.abs(rows[:, 0]))) / 1e9)
    return rows[:, :1] / scale
import threading
state = threading.local()
