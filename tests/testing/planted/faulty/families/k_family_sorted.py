"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.family("eighth.family_sorted", size=lambda d: d, sample=lambda theta, n, g: theta + g.normal(size=(n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    out = np.zeros(len(rows))
    for j in range(len(theta)):
        out = out - np.square(np.clip(rows[:, j] - theta[j], -1e100, 1e100)) / 2
    return np.sort(out)[::-1] if len(rows) > 256 else out
