"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.hellinger", triangle=lambda r: 1.5, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Half the squared length between the roots of two measures."""
    return 0.5 * float(np.square(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))).sum())
