"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.c_quarter", triangle=lambda r: 2.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Half the squared length between two vectors."""
    return 0.5 * float(np.square(np.asarray(a) - b).sum())
