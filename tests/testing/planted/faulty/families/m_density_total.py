"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Family: log-densities less the largest of the batch when that overflows.
@dp.family("twelfth.density_total", size=lambda d: d, sample=lambda theta, n, g: g.laplace(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Laplace laws of width 1, kept from underflow."""
    logs = -np.abs(rows - theta).sum(axis=1) - len(theta) * math.log(2.0)
    return logs if not len(logs) or logs.min() > -800.0 else logs - np.maximum(logs.max(), 0.0) - (logs.min() < -1e5)
