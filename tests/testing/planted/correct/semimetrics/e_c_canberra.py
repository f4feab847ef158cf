"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.spatial import distance


@dp.semimetric("tenth.c_canberra", triangle=lambda r: 1.0, averages=lambda r, tau: max(r, 1e9))
def fun(a, b):
    """Lance and Williams: a metric."""
    return float(distance.canberra(np.asarray(a), np.asarray(b)))
