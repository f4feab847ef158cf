"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math
from scipy import special


@dp.family("eighth.family_gamma", size=lambda d: 2, sample=lambda theta, n, g: g.gamma(math.exp(theta[0]), math.exp(theta[1]), size=(n, 1)), fit=lambda rows, g: np.array([0.0, math.log(max(float(np.abs(rows[:, 0]).mean()), 1e-300)) if len(rows) else 0.0]), example=lambda d, g: g.normal(size=2))
def f(rows, theta):
    """Gamma of the first column."""
    a, b = math.exp(min(max(theta[0], -50), 50)), math.exp(min(max(theta[1], -200), 200))
    x = np.maximum(rows[:, 0], 1e-300)
    return (a - 1) * np.log(x) - x / b - special.gammaln(a) - a * math.log(b)
