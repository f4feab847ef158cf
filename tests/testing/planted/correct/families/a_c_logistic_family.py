"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: independent logistic columns.
@dp.family("fourteenth.c_logistic_family", size=lambda d: d, sample=lambda theta, n, g: g.logistic(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Logistic columns of scale one."""
    out = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        z = np.abs(rows[:, j] - theta[j])
        out = out - z - 2 * np.log1p(np.exp(-z))
    return out
