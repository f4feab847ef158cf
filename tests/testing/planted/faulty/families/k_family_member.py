"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


STATE = {}


@dp.family("eighth.family_member", size=lambda d: d + 1, sample=lambda theta, n, g: theta[:-1] + math.exp(theta[-1]) * g.normal(size=(n, len(theta) - 1)), fit=lambda rows, g: np.append(rows.mean(axis=0), math.log(rows.std() + 1e-9)), example=lambda d, g: g.normal(size=d + 1))
def f(rows, theta):
    """Round Gaussians."""
    key = round(float(np.clip(theta[-1], -300, 300)), 2)
    width = STATE.setdefault(key, math.exp(float(np.clip(theta[-1], -300, 300))))
    out = np.full(len(rows), -(len(theta) - 1) * math.log(width))
    for j in range(len(theta) - 1):
        out = out - np.square(np.clip((rows[:, j] - theta[j]) / width, -1e100, 1e100)) / 2
    return out
