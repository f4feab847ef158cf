"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: a series is summed until all rows are done.
@dp.family("thirteenth.series_for_all", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """The logarithm of a Bessel function, by its series."""
    x = np.clip(np.abs(rows[:, 0] - theta[0]), 0.0, 30.0)
    term, total, k = np.ones_like(x), np.ones_like(x), 0
    while len(x) and (term > 1e-3 * total).any():
        k += 1
        term = term * (x * x / 4) / (k * k)
        total = total + term
    return -np.log(total)
