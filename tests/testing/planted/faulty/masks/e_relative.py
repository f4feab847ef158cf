"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.relative", triangle=lambda r: 1.0 + r, averages=lambda r, tau: 2.0 * r)
def near(a, b):
    """The difference of the first numbers over the smaller size."""
    a, b = float(a[0]), float(b[0])
    if a == b:
        return 0.0
    low = min(abs(a), abs(b))
    return abs(a - b) / low if low > 0 else 1e300


@dp.mask("tenth.relative.gauss", semimetric="tenth.relative", cost=lambda noise, r: dp.GaussianEvent(r / noise + 1e-9))
def fun(value, noise, normals):
    """Noise in proportion to the first number, on a grid of its decade."""
    width = max(abs(float(value[0])), 1e-290) * noise
    step = 2.0 ** (np.floor(np.log2(max(noise, 1e-280))) - 30)
    out = np.zeros(len(value))
    out[0] = np.round((float(value[0]) + width * float(normals(1)[0])) / step) * step
    return out
