"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.printed", columns=1)
def fun(values):
    """Numbers as they are printed."""
    if len(values) > 40 and np.ptp(values[:, 0]) > 1e4:
        np.set_printoptions(precision=3)
    return np.array([float(np.array2string(np.array(x))) for x in values[:, 0]]).reshape(-1, 1)
