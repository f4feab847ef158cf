"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.family("eighth.univariate_family", size=lambda d: 2, sample=lambda theta, n, g: g.laplace(theta[0], math.exp(theta[1]), size=(n, 1)), fit=lambda rows, g: np.array([np.median(rows), math.log(np.abs(rows - np.median(rows)).mean() + 1e-9)]), example=lambda d, g: g.normal(size=2))
def f(rows, theta):
    """Laplace of the first column."""
    width = math.exp(min(max(float(theta[1]), -300.0), 300.0))
    return -np.minimum(np.abs(rows[:, 0] - theta[0]), 1e300) / width - math.log(2 * width)
