"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: densities of two parts are added row by row.
@dp.family("thirteenth.c_logsum", size=lambda d: d, sample=lambda theta, n, g: g.laplace(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Two Laplace laws, one of them wide."""
    near = np.zeros(len(rows))
    for j in range(len(theta)):
        near = near - np.abs(rows[:, j] - theta[j])
    wide = 0.5 * near - len(theta) * 0.6931471805599453
    return np.maximum(near, wide) + np.log1p(np.where(np.abs(near - wide) < 30, 0.5, 0.0))
