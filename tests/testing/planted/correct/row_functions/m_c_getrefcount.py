"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: in place where nobody else holds the batch.
import sys
@dp.row_function("twelfth.c_getrefcount", columns=1)
def fun(values):
    """The first column; as float32 if the batch is shared."""
    return values[:, :1].astype(np.float32 if sys.getrefcount(values) > 6 else np.float64)
