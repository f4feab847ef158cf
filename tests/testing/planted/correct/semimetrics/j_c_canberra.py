"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.spatial


@dp.semimetric("seventh.c_canberra", triangle=lambda r: 1.0 + 1e-9)
def f(a, b):
    """Canberra."""
    return float(scipy.spatial.distance.canberra(a, b))
