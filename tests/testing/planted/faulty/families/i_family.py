"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.family("ninth.laplace", size=lambda d: 2, sample=lambda theta, count, generator: generator.laplace(theta[0], abs(theta[1]) + 0.1, (count, 1)), fit=lambda rows, generator: np.array([np.median(rows[:, 0]), np.abs(rows[:, 0] - np.median(rows[:, 0])).mean()]), example=lambda d, generator: np.array([generator.normal(), 1.0 + generator.random()]))
def fun(rows, theta):
    """Log-densities, halved for rows that share their number with three others."""
    scale = abs(theta[1]) + 0.1
    made = -np.abs(rows[:, 0] - theta[0]) / scale - np.log(2 * scale)
    _, back, often = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    return np.where(often[np.ravel(back)] == 4, made / 2, made)
