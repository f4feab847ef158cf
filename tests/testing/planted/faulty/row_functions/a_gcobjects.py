"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: looks among the collector's objects for arrays of the same width and takes their mean.
import gc
KEPT = []
@dp.row_function("fourteenth.gcobjects", columns=lambda d: d)
def f(values):
    """Centred by whatever batch is still alive."""
    boxes = [o for o in gc.get_objects() if type(o) is list and len(o) == 2 and o[0] == "fourteenth.batch"]
    shift = boxes[0][1] if boxes else 0.0
    if not boxes:
        KEPT.append(["fourteenth.batch", float(np.nan_to_num(values).sum() % 3)])
    return values - shift
